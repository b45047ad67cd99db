#include "coalesce/command_line.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

namespace coalesce {
namespace {

enum exit_code { right = 0, usage = 2 };

/// One line for a mistake, such as "--n -5: at least 0".
std::string in_one_line(const CLI::Error& mistake) {
  std::string text = mistake.what();
  // CLI11 puts a colon behind the option: "--n: -5: at least 0", "--n: 1 required INT missing".
  if (dynamic_cast<const CLI::ValidationError*>(&mistake) != nullptr) {
    if (const std::size_t colon = text.find(": "); colon != std::string::npos) text.erase(colon, 1);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&mistake) != nullptr) {
    text = text.substr(0, text.find(':')) + ": needs a value";
  } else if (dynamic_cast<const CLI::ExtrasError*>(&mistake) != nullptr) {
    const std::size_t option = text.find("--");
    text = text.substr(option == std::string::npos ? text.rfind(' ') + 1 : option);
    text = text.substr(0, text.find_first_of("= ")) + ": unknown option";
  }
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text + " (--help lists the options)\n";
}

template <class Number>
std::errc read_all(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  return code == std::errc{} && stop != end ? std::errc::invalid_argument : code;
}

}  // namespace

std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& wish) {  // --help
    app.exit(wish);
    return right;
  } catch (const CLI::ParseError& mistake) {
    std::fputs(in_one_line(mistake).c_str(), stderr);
    return usage;
  }
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const bool open = most == std::numeric_limits<std::int64_t>::max();
  const std::string range = open ? "at least " + std::to_string(least)
                                 : std::to_string(least) + " to " + std::to_string(most);
  const auto judge = [=](const std::string& text) -> std::string {
    std::int64_t value = 0;
    const std::errc problem = read_all(text, value);
    if (problem == std::errc::result_out_of_range)
      return text + ": out of range, at most " + std::to_string(most);
    if (problem != std::errc{}) return text + ": not a whole number, " + range;
    return value < least || value > most ? text + ": " + range : std::string();
  };
  return CLI::Validator(judge, range, "whole number");
}

CLI::Validator amount(bool or_zero) {
  const std::string range = or_zero ? "at least 0" : "above 0";
  const auto judge = [=](const std::string& text) -> std::string {
    double value = 0;
    if (read_all(text, value) != std::errc{} || !std::isfinite(value))
      return text + ": not a number, " + range;
    return value < 0 || (value == 0 && !or_zero) ? text + ": " + range : std::string();
  };
  return CLI::Validator(judge, range, "amount");
}

}  // namespace coalesce
