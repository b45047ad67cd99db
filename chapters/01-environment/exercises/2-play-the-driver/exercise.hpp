#pragma once

#include <vector>

/// One piece of code in a fat binary. Capabilities are written without the point: 90 is 9.0.
struct image {
  bool ptx;        ///< true: PTX, compute_XY; false: machine code, sm_XY
  int capability;  ///< what it was built for
};

/// Which image a driver takes: machine code that fits, the newest such; else PTX that fits, the
/// newest such.
/// \param images  what the program holds, in any order
/// \param device  capability of the GPU
/// \return place of the image in `images`, or -1 when nothing fits (error 209)
int choose_image(const std::vector<image>& images, int device);
