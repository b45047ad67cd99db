// The main of every test that needs a device: without one the whole program is skipped (exit code 77), so
// that a machine without a GPU never reports a GPU test as passed.
#include <gtest/gtest.h>

#include <cstdio>

#include "coalesce/device.hpp"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (const auto sentence = coalesce::refuse_device(0)) {
    std::printf("skipped: %s\n", sentence->c_str());
    return 77;
  }
  return RUN_ALL_TESTS();
}
