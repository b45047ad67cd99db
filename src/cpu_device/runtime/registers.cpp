#include "registers.h"

#include <fstream>
#include <map>
#include <regex>

#include "settings.h"

namespace cpu_device {
namespace {

/// Mangled name -> registers, from what `nvcc -Xptxas -v` prints.
std::map<std::string, int> read_listing(const std::string& file) {
  std::map<std::string, int> registers;
  std::ifstream listing(file);
  if (!listing)
    refuse("CPU_DEVICE_REGISTERS=" + file + ": neither a number from 16 to 255 nor a file");
  static const std::regex entry("Compiling entry function '([^']*)'"),
      used("Used (\\d+) registers");
  std::string line, kernel;
  for (std::smatch match; std::getline(listing, line);) {
    if (std::regex_search(line, match, entry)) kernel = match[1];
    if (std::regex_search(line, match, used)) registers[kernel] = std::stoi(match[1]);
  }
  return registers;
}

}  // namespace

std::optional<int> known_registers(const std::string& symbol) {
  const std::string& given = settings().registers;
  if (given.empty()) return std::nullopt;
  if (given.find_first_not_of("0123456789") == std::string::npos) {
    static const auto all =
        static_cast<int>(number("CPU_DEVICE_REGISTERS", given.c_str(), 16, 255));
    return all;
  }
  static const std::map<std::string, int> listed = read_listing(given);
  const auto found = listed.find(symbol);
  return found == listed.end() ? std::nullopt : std::optional<int>(found->second);
}

}  // namespace cpu_device
