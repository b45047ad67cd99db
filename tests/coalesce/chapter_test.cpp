#include "coalesce/chapter.hpp"

#include <gtest/gtest.h>

#include <array>

#include "coalesce/array_family.hpp"
#include "coalesce/device.hpp"

namespace coalesce {
namespace {

const array_definition<int, int> last_of{
    .name = "last_of",
    .default_n = 4,
    .bench_sizes = {},
    .make_input = [](std::int64_t n, std::uint64_t seed) { return random_ints(n, 0, 9, seed); },
    .reference = [](std::span<const int> in, std::span<int> out) { out[0] = in.back(); },
    .compare = expect_equal<int>,
    .describe = [](std::span<const int> out) { return std::to_string(out[0]); },
    .outputs = [](std::int64_t) -> std::int64_t { return 1; },
    .workspace_bytes = [](std::int64_t n) { return n * std::int64_t{4}; },
};

void copy_last(const int* d_in, std::int64_t n, int* d_out, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemcpyAsync(d_out, d_in + n - 1, 4, cudaMemcpyDeviceToDevice, stream));
}

void copy_first(const int* d_in, std::int64_t, int* d_out, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemcpyAsync(d_out, d_in, 4, cudaMemcpyDeviceToDevice, stream));
}

/// Answers with its scratch memory, which is zero.
void copy_scratch(const int*, std::int64_t, int* d_out, void* d_workspace, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemcpyAsync(d_out, d_workspace, 4, cudaMemcpyDeviceToDevice, stream));
}

step with_variant(step s, const char* variant) {
  s.variant = variant;
  return s;
}

chapter a_chapter() {
  step for_newer = make_step(last_of, "newer", copy_last, "for a GPU that nobody has");
  for_newer.least_capability = 9999;
  for_newer.cpu_device = false;
  return {
      .slug = "09-test",
      .families = {make_family(last_of)},
      .steps = {with_variant(make_step(last_of, "last", copy_last, "one"), "way:1"),
                with_variant(make_step(last_of, "last", copy_first, "two"), "way:2"), for_newer}};
}

struct outcome {
  int code;
  std::string out, err;
};

outcome program(std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int code = chapter_main(static_cast<int>(argv.size()), argv.data(), a_chapter());
  return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

TEST(chapter, takes_the_first_variant_of_a_name) {
  const outcome seen = program({"run", "last", "--n", "1"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_NE(seen.out.find("last/way:1"), std::string::npos) << seen.out;
}

TEST(chapter, takes_the_variant_that_is_named) {
  const outcome seen = program({"run", "last", "--variant", "way:2", "--n", "1000", "--seed", "1"});
  EXPECT_EQ(seen.code, 1) << "the first of a thousand is not the last: " << seen.out;
}

TEST(chapter, names_what_it_has) {
  EXPECT_NE(program({"run", "lost"}).err.find("Its steps: last, newer."), std::string::npos);
  const outcome seen = program({"run", "last", "--variant", "way:3"});
  EXPECT_EQ(seen.code, 2);
  EXPECT_NE(seen.err.find("Its variants: way:1, way:2."), std::string::npos) << seen.err;
}

TEST(chapter, refuses_a_step_that_this_device_cannot_run) {
  const outcome seen = program({"run", "newer"});
  EXPECT_EQ(seen.code, 2);
  EXPECT_NE(seen.err.find(on_cpu_device() ? "needs a GPU" : "needs compute capability 999.9"),
            std::string::npos)
      << seen.err;
}

TEST(chapter, checks_a_step_by_its_own_check) {
  const auto p = make_family(last_of).make(8);
  step s = make_step(last_of, "first", copy_first, "");
  s.check = [](problem& of) {
    auto& mine = static_cast<array_problem<int, int>&>(of);
    const std::array want{mine.input()[0]};
    return expect_equal<int>(mine.output(), want);
  };
  EXPECT_TRUE(run_checked(s, *p, 3).ok);
  s.launch = [](problem&, cudaStream_t) {};
  EXPECT_FALSE(run_again(s, *p).ok) << "what the run before left there must not count";
}

TEST(chapter, hands_steps_zeroed_scratch_memory) {
  const auto p = make_family(last_of).make(8);
  step s = make_step(last_of, "scratch", copy_scratch, "");
  s.check = [](problem& of) {
    const std::array want{0};
    return expect_equal<int>(static_cast<array_problem<int, int>&>(of).output(), want);
  };
  EXPECT_TRUE(run_checked(s, *p, 3).ok);
}

}  // namespace
}  // namespace coalesce
