#include "report.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <tuple>

#include "memory.h"
#include "problems.h"
#include "refused_launches.h"
#include "settings.h"
#include "symbolise.h"

namespace cpu_device {
namespace {

const char* const kAccessNames[] = {"load", "store", "atomic", "block"};
const char* const kSpaceNames[] = {"other", "global", "shared"};

std::string quote(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      result += '\\';
      result += letter;
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", letter);
      result += escape;
    } else {
      result += letter;
    }
  }
  return result + "\"";
}

std::string extent(uint3 e) {
  return "[" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + "]";
}

/// A request with the place of each lane.
std::string one_request(const Example& example) {
  std::string lanes, offsets;
  for (int i = 0; i < 32; ++i) {
    if (!(example.lanes >> i & 1)) continue;
    lanes += (lanes.empty() ? "" : ", ") + std::to_string(i);
    offsets +=
        (offsets.empty() ? "" : ", ") + std::to_string(example.offset[static_cast<size_t>(i)]);
  }
  return "{\"warp\": " + std::to_string(example.warp) + ", \"array\": " + quote(example.array) +
         ", \"array_bytes\": " + std::to_string(example.array_bytes) + ", \"lanes\": [" + lanes +
         "], \"offsets\": [" + offsets + "]}";
}

class Report {
 public:
  void add(LaunchReport&& launch) {
    std::lock_guard lock(mutex_);
    launches_.push_back(std::move(launch));
  }
  void write();

 private:
  std::string kernels();
  std::string lines(const LaunchReport& launch);
  void symbolise();

  std::mutex mutex_;
  std::vector<LaunchReport> launches_;
  std::map<uintptr_t, SourceLine> places_;
};

Report& report() {
  static Report& once = *new Report;  // alive until after every static destructor
  return once;
}

/// Finds the lines of all instructions at once.
void Report::symbolise() {
  std::vector<const void*> addresses;
  for (const LaunchReport& launch : launches_) {
    for (const auto& [instruction, counts] : launch.counts) {
      if (instruction.access != Access::kBlock) places_[instruction.pc];
    }
  }
  for (const auto& [pc, place] : places_) addresses.push_back(reinterpret_cast<void*>(pc));
  const auto found = source_lines(addresses);
  size_t index = 0;
  for (auto& [pc, place] : places_) place = found[index++];
}

std::string Report::lines(const LaunchReport& launch) {
  // Unrolled or inlined code has several instructions a line: one entry for all alike.
  using Key = std::tuple<std::string, int, Access, Space, int>;
  std::map<Key, Counts> table;
  for (const auto& [instruction, counts] : launch.counts) {
    if (instruction.access == Access::kBlock) continue;
    const SourceLine& place = places_[instruction.pc];
    cpu_device::add(
        table[{place.file, place.line, instruction.access, instruction.space, instruction.bytes}],
        counts);
  }
  std::map<Key, std::string> shown;
  for (const Example& example : launch.examples) {
    const Instruction& i = example.instruction;
    const SourceLine& place = places_[i.pc];
    std::string& text = shown[{place.file, place.line, i.access, i.space, i.bytes}];
    text += (text.empty() ? "\n" : ",\n") + std::string(8, ' ') + one_request(example);
  }
  std::string text;
  for (const auto& [key, counts] : table) {
    const auto& [file, line, access, space, bytes] = key;
    text += text.empty() ? "\n" : ",\n";
    text += "      {\"file\": " + quote(file) + ", \"line\": " + std::to_string(line) +
            ", \"op\": \"" + kAccessNames[static_cast<int>(access)] + "\", \"space\": \"" +
            kSpaceNames[static_cast<int>(space)] + "\", \"bytes\": " + std::to_string(bytes) +
            ", \"requests\": " + std::to_string(counts.requests) +
            ", \"sectors\": " + std::to_string(counts.sectors) +
            ", \"wavefronts\": " + std::to_string(counts.wavefronts) +
            ", \"conflicts\": " + std::to_string(counts.conflicts) +
            ", \"active_lanes\": " + std::to_string(counts.active_lanes) +
            ", \"divergent\": " + std::to_string(counts.divergent);
    const auto found = shown.find(key);
    text += found == shown.end() ? "}" : ", \"shown\": [" + found->second + "]}";
  }
  return text.empty() ? "[]" : "[" + text + "\n    ]";
}

std::string Report::kernels() {
  std::string text;
  for (const LaunchReport& launch : launches_) {
    uint64_t blocks = 0, divergent = 0;
    for (const auto& [instruction, counts] : launch.counts) {
      if (instruction.access != Access::kBlock) continue;
      blocks += counts.requests;
      divergent += counts.divergent;
    }
    text += text.empty() ? "\n" : ",\n";
    text += "    {\"name\": " + quote(launch.kernel) + ", \"grid\": " + extent(launch.grid) +
            ", \"block\": " + extent(launch.block) +
            ", \"static_shared\": " + std::to_string(launch.static_shared) +
            ", \"dynamic_shared\": " + std::to_string(launch.dynamic_shared) +
            (launch.registers ? ", \"registers\": " + std::to_string(*launch.registers) : "") +
            ", \"basic_blocks\": " + std::to_string(blocks) +
            ", \"divergent_basic_blocks\": " + std::to_string(divergent) +
            ", \"lines\": " + lines(launch) + "}";
  }
  return text.empty() ? "[]" : "[" + text + "\n  ]";
}

std::string side(const SourceLine& line, const Party& party, const std::string& prefix) {
  std::string text = ", \"" + prefix + "file\": " + quote(line.file) + ", \"" + prefix +
                     "line\": " + std::to_string(line.line);
  if (!party.in_kernel) return text;
  return text + ", \"" + prefix + "thread\": " + extent(party.thread) + ", \"" + prefix +
         "block\": " + extent(party.block);
}

std::string problem_list() {
  std::string text;
  for (const LocatedProblem& located : problems()) {
    const Problem& problem = located.problem;
    text += text.empty() ? "\n" : ",\n";
    text += "    {\"kind\": " + quote(problem.kind) + ", \"kernel\": " + quote(problem.kernel) +
            side(located.here, problem.here, "");
    if (!problem.there.frames.empty()) text += side(located.there, problem.there, "other_");
    text += ", \"message\": " + quote(problem.message) + "}";
  }
  return text.empty() ? "[]" : "[" + text + "\n  ]";
}

/// Writes a file beside the wanted one and renames it, so that no reader sees half a report.
void Report::write() {
  symbolise();
  if (!instrumented()) {
    std::fprintf(stderr,
                 "cpu_device: the report has no counts: no kernel was built with --explain\n");
  }
  const std::string& path = settings().report;
  const std::string draft = path + ".tmp" + std::to_string(getpid());
  FILE* file = std::fopen(draft.c_str(), "w");
  if (!file) {
    std::fprintf(stderr, "cpu_device: cannot write the report %s\n", path.c_str());
    return;
  }
  const std::string text = "{\n  \"version\": 1,\n  \"device\": " + quote(settings().gpu->slug) +
                           ",\n  \"kernels\": " + kernels() +
                           ",\n  \"problems\": " + problem_list() + "\n}\n";
  std::fwrite(text.data(), 1, text.size(), file);
  if (std::fclose(file) || std::rename(draft.c_str(), path.c_str())) {
    std::fprintf(stderr, "cpu_device: cannot write the report %s\n", path.c_str());
    std::remove(draft.c_str());
  }
}

}  // namespace

void add(Counts& to, const Counts& more) {
  to.requests += more.requests;
  to.sectors += more.sectors;
  to.wavefronts += more.wavefronts;
  to.conflicts += more.conflicts;
  to.active_lanes += more.active_lanes;
  to.divergent += more.divergent;
}

void add_to_report(LaunchReport&& launch) {
  report().add(std::move(launch));
}

}  // namespace cpu_device

namespace {

/// At the end of the program, also of one that launched nothing: the report, and exit code 86.
void at_exit(int status, void*) {
  if (cpu_device::checking() && status == 0) {
    cpu_device::report_refused_launches();
    cpu_device::report_leaks();
  }
  cpu_device::finish_program();
}

/// Registered before any static object is made, so that it runs when all of them are gone.
__attribute__((constructor(101))) void register_at_exit() {
  on_exit(at_exit, nullptr);
}

}  // namespace

void cpu_device::finish_program() {
  if (!settings().report.empty()) report().write();
  if (!checking() || problems().empty()) return;
  const size_t count = problems().size();
  std::fprintf(stderr, "cpu_device: %zu problem%s found\n", count, count == 1 ? "" : "s");
  std::cout.flush();
  std::fflush(nullptr);
  _exit(kExitProblems);
}
