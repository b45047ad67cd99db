// Wrong: machine code for 8.0 runs on 8.6, too.
#include "exercise.hpp"

// [choose]
int choose_image(const std::vector<image>& images, int device) {
  // [answer]
  int best = -1;
  for (int i = 0; i < static_cast<int>(images.size()); ++i) {
    const image& one = images[i];
    const bool fits = one.ptx ? one.capability <= device : one.capability == device;
    if (!fits) continue;

    const bool better = best < 0 || (images[best].ptx && !one.ptx) ||
                        (images[best].ptx == one.ptx && one.capability > images[best].capability);
    if (better) best = i;
  }
  return best;
  // [/answer]
}
// [/choose]
