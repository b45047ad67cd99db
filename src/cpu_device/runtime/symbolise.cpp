#include "symbolise.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" const char __executable_start, etext;  // the linker's

namespace cpu_device {
namespace {

/// Where the main program is loaded: debug information counts from there.
uintptr_t load_base() {
  uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        *static_cast<uintptr_t*>(result) = info->dlpi_addr;
        return 1;  // the main program comes first
      },
      &base);
  return base;
}

bool is_users(const char* file) {
  return !std::strstr(file, "/cpu_device_headers") && !std::strstr(file, "cpu_device/runtime/") &&
         std::strncmp(file, "/usr/", 5) != 0 && std::strncmp(file, "??", 2) != 0;
}

/// Splits "file:line" or "file:line (discriminator 2)".
SourceLine parse(const char* text) {
  SourceLine result;
  const std::string line(text, std::strcspn(text, "\n"));
  const size_t colon = line.find_last_of(':');
  if (colon == std::string::npos) return result;
  result.file = line.substr(0, colon);
  while (result.file.compare(0, 2, "./") == 0) result.file.erase(0, 2);
  result.line = std::atoi(line.c_str() + colon + 1);
  return result;
}

/// What the line table says of these very addresses.
std::vector<SourceLine> look_up(const std::vector<const void*>& return_addresses) {
  std::vector<SourceLine> result(return_addresses.size());
  if (return_addresses.empty()) return result;
  char list[] = "/tmp/cpu_device-XXXXXX";
  const int descriptor = mkstemp(list);
  if (descriptor < 0) return result;
  FILE* file = fdopen(descriptor, "w");
  const uintptr_t base = load_base();
  for (const void* address : return_addresses) {
    // minus one: the call itself, not the instruction behind it
    std::fprintf(file, "0x%llx\n",
                 static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address) - 1 - base));
  }
  std::fclose(file);
  char command[256];
  std::snprintf(command, sizeof command, "addr2line -a -i -e /proc/%d/exe @%s 2>/dev/null",
                static_cast<int>(getpid()), list);
  FILE* pipe = popen(command, "r");
  size_t index = static_cast<size_t>(-1);
  bool settled = false;
  char line[4096];
  while (pipe && std::fgets(line, sizeof line, pipe)) {
    if (std::strncmp(line, "0x", 2) == 0) {  // the next address; its frames follow
      ++index;
      settled = false;
    } else if (index < result.size() && !settled) {
      SourceLine here = parse(line);
      settled = here.users = is_users(here.file.c_str());
      if (settled || result[index].line == 0) result[index] = here;
    }
  }
  if (pipe) pclose(pipe);
  unlink(list);
  return result;
}

constexpr std::ptrdiff_t kLookBack = 64;  // bytes

}  // namespace

/// An access that the optimiser has moved may have no line of its own: then it is the nearest
/// one before.
std::vector<SourceLine> source_lines(const std::vector<const void*>& return_addresses) {
  std::vector<SourceLine> result = look_up(return_addresses);
  std::vector<const void*> before;
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i].line) continue;
    for (std::ptrdiff_t back = 1; back <= kLookBack; ++back) {
      before.push_back(static_cast<const char*>(return_addresses[i]) - back);
    }
  }
  const std::vector<SourceLine> found = look_up(before);
  auto next = found.begin();
  for (SourceLine& line : result) {
    if (line.line) continue;
    const auto end = next + kLookBack;
    const auto nearest =
        std::find_if(next, end, [](const SourceLine& each) { return each.line && each.users; });
    if (nearest != end) line = *nearest;
    next = end;
  }
  return result;
}

bool in_program_code(uintptr_t address) {
  return address >= reinterpret_cast<uintptr_t>(&__executable_start) &&
         address < reinterpret_cast<uintptr_t>(&etext);
}

std::string source_line(const void* return_address) {
  const SourceLine line = source_lines({return_address})[0];
  return line.line ? line.file + ":" + std::to_string(line.line)
                   : std::string("an unknown place (build with cpucc, which adds line tables)");
}

}  // namespace cpu_device
