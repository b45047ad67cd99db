#include "coalesce/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

struct outcome {
  int code = 0;  ///< -1: nothing was wrong
  std::string told;
};

/// What a program with options like a chapter's says of these arguments.
outcome parse(std::vector<std::string> arguments) {
  std::int64_t n = 0;
  int gpu = 0;
  double seconds = 0;
  CLI::App app{"test"};
  app.add_option("--n", n)->check(coalesce::whole_number());
  app.add_option("--gpu", gpu)->check(coalesce::whole_number(0, coalesce::largest_int));
  app.add_option("--seconds", seconds)->check(coalesce::amount());
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  ::testing::internal::CaptureStderr();
  const auto code = coalesce::parse_command_line(app, static_cast<int>(argv.size()), argv.data());
  return {code.value_or(-1), ::testing::internal::GetCapturedStderr()};
}

void expect_refusal(std::vector<std::string> arguments, const std::string& part) {
  const outcome seen = parse(arguments);
  EXPECT_EQ(seen.code, 2) << part;
  EXPECT_NE(seen.told.find(part), std::string::npos) << seen.told;
  EXPECT_EQ(std::count(seen.told.begin(), seen.told.end(), '\n'), 1) << seen.told;
}

TEST(CommandLine, TakesWhatIsInRange) {
  EXPECT_EQ(parse({}).code, -1);
  EXPECT_EQ(parse({"--n", "0", "--gpu", "7", "--seconds", "0.5"}).code, -1);
}

TEST(CommandLine, AMistakeIsOneLineWithOptionValueAndRange) {
  expect_refusal({"--n", "-17"}, "--n -17: at least 0");
  expect_refusal({"--n", "123456789012345678901"}, "--n 123456789012345678901: out of range");
  expect_refusal({"--n", "2e5"}, "--n 2e5: not a whole number");
  expect_refusal({"--n", ""}, "not a whole number");
  expect_refusal({"--n"}, "--n: needs a value");
  expect_refusal({"--gpu", "4294967296"}, "--gpu 4294967296: 0 to 2147483647");
  expect_refusal({"--gpu", "first"}, "--gpu first: not a whole number, 0 to 2147483647");
  expect_refusal({"--seconds", "0"}, "--seconds 0: above 0");
  expect_refusal({"--seconds", "nan"}, "--seconds nan: not a number");
}

TEST(CommandLine, AnUnknownOptionIsNamed) {
  expect_refusal({"--blocks=17"}, "--blocks: unknown option");
  expect_refusal({"--blocks", "17"}, "--blocks: unknown option");
}

TEST(CommandLine, HelpIsNoMistake) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(parse({"--help"}).code, 0);
  EXPECT_NE(::testing::internal::GetCapturedStdout().find("--seconds"), std::string::npos);
}

}  // namespace
