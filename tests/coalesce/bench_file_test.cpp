#include "coalesce/bench_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace coalesce {
namespace {

const json_object context = json_object().add("type", "context");
const json_object fingerprint = json_object().add("type", "fingerprint").add("rounds", 31);
const json_object sample = json_object().add("type", "sample").add("seconds", 1.0);

json_object done(int n) {
  return json_object().add("type", "done").add("n", n);
}

/// A file of two finished parts and one that was interrupted.
class interrupted_run : public ::testing::Test {
 protected:
  void SetUp() override {
    bench_file file(path, {});
    for (const json_object& line : {context, fingerprint, sample, done(1), sample, done(2), sample})
      file.write(line);
  }
  void TearDown() override { std::filesystem::remove(path); }
  const std::string path = ::testing::TempDir() + "interrupted_" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                           ".jsonl";
};

TEST_F(interrupted_run, keeps_whole_parts_only) {
  const earlier_run found = read_earlier(path, fingerprint.text());
  EXPECT_EQ(found.done, (std::vector<std::string>{done(1).text(), done(2).text()}));
  EXPECT_EQ(found.lines.size(), 6u);
  EXPECT_EQ(found.lines.back(), done(2).text());
}

TEST_F(interrupted_run, of_other_options_is_not_continued) {
  const json_object other = json_object().add("type", "fingerprint").add("rounds", 7);
  EXPECT_TRUE(read_earlier(path, other.text()).lines.empty());
  EXPECT_TRUE(read_earlier(path + ".missing", fingerprint.text()).lines.empty());
}

TEST_F(interrupted_run, keeps_its_head_where_no_part_was_finished) {
  bench_file(path, {}).write(context);
  EXPECT_TRUE(read_earlier(path, fingerprint.text()).lines.empty());
  bench_file file(path, {context.text(), fingerprint.text()});
  file.write(sample);
  EXPECT_EQ(read_earlier(path, fingerprint.text()).lines,
            (std::vector<std::string>{context.text(), fingerprint.text()}));
}

TEST_F(interrupted_run, is_written_back_unchanged) {
  const earlier_run found = read_earlier(path, fingerprint.text());
  bench_file(path, found.lines).write(sample);
  EXPECT_EQ(read_earlier(path, fingerprint.text()).lines, found.lines);
}

TEST(bench_file, that_cannot_be_written_says_so) {
  EXPECT_THROW(bench_file("/nowhere/raw.jsonl", {}), std::runtime_error);
}

}  // namespace
}  // namespace coalesce
