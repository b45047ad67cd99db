// Wrong: machine code that fits comes before PTX, even before newer PTX.
#include "exercise.hpp"

// [choose]
int choose_image(const std::vector<image>& images, int device) {
  // [answer]
  int best = -1;
  for (int i = 0; i < static_cast<int>(images.size()); ++i) {
    const image& one = images[i];
    const bool fits = one.capability <= device && (one.ptx || one.capability / 10 == device / 10);
    if (!fits) continue;

    const bool better = best < 0 || one.capability > images[best].capability;
    if (better) best = i;
  }
  return best;
  // [/answer]
}
// [/choose]
