// Machine code fits within its major number, PTX fits everything that is not older.
#include "exercise.hpp"

// [choose]
int choose_image(const std::vector<image>& images, int device) {
  // [answer]
  int best = -1;
  for (int i = 0; i < static_cast<int>(images.size()); ++i) {
    const image& one = images[i];
    const bool same_major = one.capability / 10 == device / 10;
    const bool fits = one.capability <= device && (one.ptx || same_major);
    if (!fits) continue;

    const bool better = best < 0 || (images[best].ptx && !one.ptx) ||
                        (images[best].ptx == one.ptx && one.capability > images[best].capability);
    if (better) best = i;
  }
  return best;
  // [/answer]
}
// [/choose]
