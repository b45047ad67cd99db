// Wrong: machine code of an older major number does not run.
#include "exercise.hpp"

// [choose]
int choose_image(const std::vector<image>& images, int device) {
  // [answer]
  int best = -1;
  for (int i = 0; i < static_cast<int>(images.size()); ++i) {
    const image& one = images[i];
    const bool fits = one.capability <= device;
    if (!fits) continue;

    const bool better = best < 0 || (images[best].ptx && !one.ptx) ||
                        (images[best].ptx == one.ptx && one.capability > images[best].capability);
    if (better) best = i;
  }
  return best;
  // [/answer]
}
// [/choose]
