#include "symbolise.h"

#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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

}  // namespace

std::vector<SourceLine> source_lines(const std::vector<const void*>& return_addresses) {
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

std::string source_line(const void* return_address) {
  const SourceLine line = source_lines({return_address})[0];
  return line.line ? line.file + ":" + std::to_string(line.line)
                   : std::string("an unknown place (build with cpucc, which adds line tables)");
}

}  // namespace cpu_device
