#include "coalesce/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "coalesce/device.hpp"
#include "coalesce/kernels.hpp"

namespace {

using coalesce::explain;
using coalesce::machine_state;
using ::testing::ExitedWithCode;

constexpr auto no_image = static_cast<cudaError_t>(209);
constexpr auto ptx_too_new = static_cast<cudaError_t>(222);
constexpr auto illegal_address = static_cast<cudaError_t>(700);

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int calls = 0;
cudaError_t counted(cudaError_t answer) {
  ++calls;
  return answer;
}

TEST(Check, EvaluatesTheCallOnce) {
  calls = 0;
  COALESCE_CHECK(counted(cudaSuccess));
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(COALESCE_CHECK(counted(cudaErrorInvalidValue)), coalesce::cuda_error);
  EXPECT_EQ(calls, 2);
}

TEST(Check, MessageHasCallFileLineNameNumberAndMessage) {
  const int line = __LINE__ + 2;
  try {
    COALESCE_CHECK(counted(cudaErrorInvalidValue));
    FAIL() << "a failed call passed";
  } catch (const coalesce::cuda_error& e) {
    const std::string text = e.what();
    EXPECT_EQ(e.code(), cudaErrorInvalidValue);
    EXPECT_FALSE(e.sticky());
    EXPECT_TRUE(contains(text, "counted(cudaErrorInvalidValue) failed")) << text;
    EXPECT_TRUE(contains(text, "error_test.cpp:" + std::to_string(line))) << text;
    EXPECT_TRUE(contains(text, "cudaErrorInvalidValue (1)")) << text;
    EXPECT_TRUE(contains(text, cudaGetErrorString(cudaErrorInvalidValue))) << text;
  }
}

TEST(Check, TakesACallWithCommas) {
  int value = 0;
  COALESCE_CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  EXPECT_EQ(value, 32);
}

TEST(Check, RealFailureIsClearedOnceThrown) {
  EXPECT_THROW(COALESCE_CHECK(cudaSetDevice(9999)), coalesce::cuda_error);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(CheckLaunch, PassesAfterAGoodLaunch) {
  EXPECT_NO_THROW(coalesce::check_launch("nothing", coalesce::launch_check::finished));
}

TEST(CheckLaunch, SaysThatTheLaunchWasRefused) {
  (void)cudaSetDevice(9999);  // leaves an error behind, as a refused launch does
  const int line = __LINE__ + 2;
  try {
    coalesce::check_launch("add_kernel");
    FAIL() << "a refused launch passed";
  } catch (const coalesce::cuda_error& e) {
    const std::string text = e.what();
    EXPECT_TRUE(contains(text, "the launch of add_kernel was refused")) << text;
    EXPECT_TRUE(contains(text, "error_test.cpp:" + std::to_string(line))) << text;
  }
  EXPECT_NO_THROW(coalesce::check_launch("the next one"));
}

TEST(ReportFailure, PrintsAndDoesNotThrow) {
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(coalesce::report_failure(cudaErrorInvalidValue, "cudaFree"));
  EXPECT_TRUE(coalesce::report_failure(cudaSuccess, "cudaFree"));
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(text, "cudaFree failed: cudaErrorInvalidValue (1)")) << text;
  EXPECT_TRUE(contains(text, "error_test.cpp:")) << text;
}

TEST(ReportFailure, IsSilentWhileTheProcessEnds) {
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(coalesce::report_failure(static_cast<cudaError_t>(4), "cudaFree"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Explain, NoDriverIsToldFromAnOldDriver) {
  machine_state m;
  m.runtime_version = 13000;
  EXPECT_TRUE(contains(explain(cudaErrorInsufficientDriver, m), "no NVIDIA driver"));
  m.driver_version = 11040;
  m.driver_library = true;
  const std::string old = explain(cudaErrorInsufficientDriver, m);
  EXPECT_FALSE(contains(old, "no NVIDIA driver")) << old;
  EXPECT_TRUE(contains(old, "11.4")) << old;
  EXPECT_TRUE(contains(old, "13.0")) << old;
  EXPECT_TRUE(contains(old, "580")) << old;
}

TEST(Explain, LibraryWithoutAWorkingDriverIsACaseOfItsOwn) {
  machine_state m;
  m.driver_library = true;
  EXPECT_TRUE(contains(explain(cudaErrorInsufficientDriver, m), "container"));
}

TEST(Explain, NoKernelImageNamesCardBuiltAndSetupLine) {
  machine_state m;
  m.compute_capability = 86;
  m.built_for = "9.0, 10.0";
  const std::string text = explain(no_image, m);
  EXPECT_TRUE(contains(text, "8.6")) << text;
  EXPECT_TRUE(contains(text, "9.0, 10.0")) << text;
  EXPECT_TRUE(contains(text, "-Dgpu_arch=86")) << text;
}

TEST(Explain, NewPtxNamesBothVersions) {
  machine_state m;
  m.driver_version = 13000;
  m.runtime_version = 13010;
  const std::string text = explain(ptx_too_new, m);
  EXPECT_TRUE(contains(text, "13.0")) << text;
  EXPECT_TRUE(contains(text, "13.1")) << text;
}

TEST(Explain, OutOfMemoryNamesWhatIsFree) {
  machine_state m;
  m.free_bytes = std::size_t{3} << 29;
  EXPECT_TRUE(contains(explain(cudaErrorMemoryAllocation, m), "1.5 GiB free"));
}

TEST(Explain, EveryCodeOfTheLogHasASentence) {
  const struct {
    int code;
    const char* part;
  } known[] = {{34, "stub"},           {46, "exclusive"},  {100, "CUDA_VISIBLE_DEVICES"},
               {98, "-Dgpu_arch="},    {701, "registers"}, {702, "watchdog"},
               {802, "fabricmanager"}, {803, "Restart"},   {804, "compat"},
               {999, "doctor"},        {710, "assert"}};
  for (const auto& k : known)
    EXPECT_TRUE(contains(explain(static_cast<cudaError_t>(k.code), machine_state{}), k.part))
        << k.code;
}

TEST(Explain, StickyErrorsAreNamedAsSuch) {
  EXPECT_TRUE(contains(explain(illegal_address, machine_state{}), "stays with the process"));
  EXPECT_FALSE(contains(explain(cudaErrorInvalidValue, machine_state{}), "stays with"));
}

TEST(Explain, NamesTheEntryOfTheTroubleshootingPage) {
  EXPECT_TRUE(contains(explain(no_image, machine_state{}), "troubleshooting.html#error-209"));
  EXPECT_TRUE(contains(explain(illegal_address, machine_state{}), "#error-700"));
  EXPECT_EQ(explain(cudaErrorNotReady, machine_state{}), "");
}

TEST(IsSticky, HoldsForKernelFaultsOnly) {
  for (const int code : {700, 702, 710, 714, 715, 716, 717, 718, 719})
    EXPECT_TRUE(coalesce::is_sticky(static_cast<cudaError_t>(code))) << code;
  for (const int code : {0, 1, 2, 9, 35, 46, 98, 100, 209, 222, 701, 802, 804, 901, 999})
    EXPECT_FALSE(coalesce::is_sticky(static_cast<cudaError_t>(code))) << code;
}

TEST(OutOfMemory, NamesAskedFreeAndLargestCount) {
  const coalesce::out_of_memory e(std::size_t{1} << 40, std::size_t{8} << 30, 4,
                                  coalesce::call_site::current());
  const std::string text = e.what();
  EXPECT_TRUE(contains(text, "1 TiB")) << text;
  EXPECT_TRUE(contains(text, "8 GiB are free")) << text;
  EXPECT_TRUE(contains(text, "2 147 483 648 elements")) << text;
}

// In a process of its own, because the error would stay with this one.
void trap_and_report() {
  coalesce_test::trap_unchecked();
  try {
    coalesce::check_launch("trap_kernel", coalesce::launch_check::finished);
  } catch (const coalesce::cuda_error& e) {
    std::fprintf(stderr, "first: %s\n", e.what());
    if (!e.sticky()) std::exit(3);
  }
  try {
    COALESCE_CHECK(cudaDeviceSynchronize());
  } catch (const coalesce::cuda_error& e) {
    std::fprintf(stderr, "again: %s\n", e.what());
    std::exit(e.sticky() ? 0 : 4);
  }
  std::exit(5);
}

TEST(StickyErrorDeathTest, TrapInAKernelIsReportedAtEveryLaterCall) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "the CPU device has no trap";
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";  // a fresh process, no forked context
  EXPECT_EXIT(trap_and_report(), ExitedWithCode(0),
              "trap_kernel failed while it ran(.|\n)*stays with the process(.|\n)*again:");
}

}  // namespace
