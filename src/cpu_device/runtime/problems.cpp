#include "problems.h"

#include <execinfo.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>
#include <tuple>

#include "scheduler.h"
#include "settings.h"

namespace cpu_device {
namespace {

constexpr size_t kMostProblems = 1000;  // beyond, a report helps nobody

bool built_for_checking = false;

using Lines = std::pair<std::string, int>;

struct Kept {
  std::mutex mutex;
  std::vector<Problem> fresh;  // not yet located
  std::vector<LocatedProblem> located;
  std::set<std::tuple<std::string, std::string, const void*, const void*>> instructions;
  std::set<std::tuple<std::string, std::string, Lines, Lines>> lines;
};

Kept& kept() {
  static Kept& once = *new Kept;  // alive until after every static destructor
  return once;
}

const void* innermost(const Party& party) {
  return party.frames.empty() ? nullptr : party.frames[0];
}

/// The first frame that is in the user's code; all of them are looked up at once.
class Lookup {
 public:
  void want(const Party& party) {
    frames_.insert(frames_.end(), party.frames.begin(), party.frames.end());
  }
  void find() { lines_ = source_lines(frames_); }
  /// In the order of want().
  SourceLine next(const Party& party) {
    SourceLine best;
    for (size_t i = 0; i < party.frames.size(); ++i) {
      const SourceLine& line = lines_[at_++];
      if (best.users || !line.line) continue;
      if (line.users || !best.line) best = line;
    }
    return best;
  }

 private:
  std::vector<const void*> frames_;
  std::vector<SourceLine> lines_;
  size_t at_ = 0;
};

std::string place(const SourceLine& line, const Party& party) {
  std::string text = line.line ? line.file + ":" + std::to_string(line.line)
                               : std::string("an unknown place (build with cpucc)");
  if (party.in_kernel) {
    char who[128];
    std::snprintf(who, sizeof who, ": thread (%u,%u,%u) of block (%u,%u,%u)", party.thread.x,
                  party.thread.y, party.thread.z, party.block.x, party.block.y, party.block.z);
    text += who;
  }
  return text;
}

void say(const LocatedProblem& located) {
  const Problem& problem = located.problem;
  const std::string kernel = problem.kernel.empty() ? "" : "kernel " + problem.kernel + ": ";
  std::fprintf(stderr, "cpu_device: %s%s: %s\n", kernel.c_str(), problem.kind.c_str(),
               problem.message.c_str());
  std::fprintf(stderr, "cpu_device:   %s\n", place(located.here, problem.here).c_str());
  if (!problem.there.frames.empty()) {
    std::fprintf(stderr, "cpu_device:   %s\n", place(located.there, problem.there).c_str());
  }
}

}  // namespace

bool checking() {
  static const bool once = settings().check.value_or(built_for_checking);
  return once;
}

void set_built_for_checking() {
  built_for_checking = true;
}

void add_problem(Problem&& problem) {
  Kept& all = kept();
  std::lock_guard lock(all.mutex);
  if (all.located.size() + all.fresh.size() >= kMostProblems) return;
  const void* one = innermost(problem.here);
  const void* other = innermost(problem.there);
  if (other && other < one) std::swap(one, other);  // a pair has no order
  if (!all.instructions.emplace(problem.kind, problem.kernel, one, other).second) return;
  all.fresh.push_back(std::move(problem));
}

void say_problems() {
  Kept& all = kept();
  std::lock_guard lock(all.mutex);
  if (all.fresh.empty()) return;
  std::fflush(stdout);
  Lookup lookup;
  for (const Problem& problem : all.fresh) {
    lookup.want(problem.here);
    lookup.want(problem.there);
  }
  lookup.find();
  // A line that races may well read before the other side has written: that is one fault, not two.
  std::set<const void*> racing;
  for (const Problem& problem : all.fresh) {
    if (problem.kind != "race") continue;
    racing.insert(innermost(problem.here));
    racing.insert(innermost(problem.there));
  }
  for (Problem& problem : all.fresh) {
    const SourceLine here = lookup.next(problem.here), there = lookup.next(problem.there);
    if (problem.kind == "uninitialised read" && racing.count(innermost(problem.here))) continue;
    Lines one{here.file, here.line}, other{there.file, there.line};
    if (!problem.there.frames.empty() && other < one) std::swap(one, other);
    if (!all.lines.emplace(problem.kind, problem.kernel, one, other).second) continue;
    all.located.push_back({std::move(problem), here, there});
    if (!all.located.back().problem.said) say(all.located.back());
  }
  all.fresh.clear();
}

const std::vector<LocatedProblem>& problems() {
  say_problems();
  return kept().located;
}

size_t problem_count() {
  Kept& all = kept();
  std::lock_guard lock(all.mutex);
  return all.fresh.size() + all.located.size();
}

Party this_lane(const void* pc) {
  return {{pc}, true, cpu_device_thread_index, cpu_device_block_index};
}

Party this_call() {
  void* frames[24];
  const int count = backtrace(frames, 24);
  Party party;
  party.frames.assign(frames, frames + count);
  return party;
}

}  // namespace cpu_device
