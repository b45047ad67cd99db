#include "chapter_test.hpp"
#include "table.hpp"

COALESCE_TEST_EVERY_STEP(chapter01::this_chapter());

namespace {

using chapter01::version_text;
using chapter01::which_code;

TEST(versions, of_the_runtime_are_written_with_a_point) {
  EXPECT_EQ(version_text(13000), "13.0");
  EXPECT_EQ(version_text(12040), "12.4");
  EXPECT_EQ(version_text(11080), "11.8");
}

TEST(versions, no_driver_is_called_none) {
  EXPECT_EQ(version_text(0), "none");
}

TEST(versions, of_capabilities_split_off_the_last_digit) {
  EXPECT_EQ(chapter01::capability_text(75), "7.5");
  EXPECT_EQ(chapter01::capability_text(120), "12.0");
}

TEST(which_code, tells_machine_code_from_code_made_of_ptx) {
  EXPECT_EQ(which_code(90, 90, 90), "machine code for 9.0 from the program");
  EXPECT_EQ(which_code(90, 90, 75), "made by the driver for 9.0 from PTX 7.5");
}

TEST(which_code, says_when_machine_code_of_an_older_gpu_runs) {
  EXPECT_EQ(which_code(86, 80, 80), "machine code for 8.0 from the program, which a 8.6 runs too");
}

TEST(versions, step_prints_and_ends_well) {
  ::testing::internal::CaptureStdout();
  const int code = chapter01::versions(0);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 0);
  for (const char* word : {"driver", "runtime", "headers", "compiler", "capability", "code"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " is missing in\n" << text;
}

}  // namespace
