#include "coalesce/bench.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <thread>

#include "coalesce/bench_file.hpp"
#include "coalesce/command_line.hpp"
#include "coalesce/device_json.hpp"
#include "coalesce/error.hpp"
#include "coalesce/format.hpp"
#include "coalesce/json.hpp"
#include "coalesce/telemetry.hpp"
#include "coalesce/timer.hpp"

namespace coalesce {
namespace {

enum exit_code { right = 0, wrong = 1, usage = 2, no_gpu = 4 };

struct options {
  std::string out_path;
  std::string filter = ".";
  std::vector<std::int64_t> sizes;
  int rounds = 31;
  double budget_seconds = 150;
  double sample_seconds = 2e-3;
  double warm_up_seconds = 0.03;
  int gpu = 0;
  bool thorough = false;
  bool resume = false;
  bool progress = false;
};

/// Fewest samples of which an interval of the median can be given.
constexpr int least_rounds = 7;

/// A family at one size: what is measured together, and the unit in which a run resumes.
struct group {
  const family* f;
  std::int64_t n;
  json_object line() const {
    return json_object().add("type", "done").add("family", f->name).add("n", n);
  }
};

/// One thing to time: a step in one cache state and one way of launching.
struct arm {
  std::string name;  ///< key of the results file
  const step* s = nullptr;
  cache_state cache = cache_state::hot;
  launch_mode launch = launch_mode::stream;
  std::function<double()> sample = {};  ///< seconds for one launch
  int launches = 1;                     ///< launches behind one sample
};

std::string key_of(const chapter& c, const step& s, std::int64_t n) {
  return c.slug + "/" + s.family + "/" + s.name + "/n:" + std::to_string(n);
}

bool timed_by_host(const step& s) {
  return s.kind == step_kind::baseline || s.timed_by == clock_kind::host;
}

/// The arms of one step: those of the host's clock have one, steps one for each mode of their family.
std::vector<arm> arms_of(const chapter& c, const family& f, const step& s, std::int64_t n) {
  const std::string key = key_of(c, s, n);
  const std::string variant = s.variant.empty() ? "" : "/" + s.variant;
  if (timed_by_host(s)) return {{.name = key + variant, .s = &s}};
  std::vector<measure_mode> modes = s.modes;
  if (modes.empty()) modes = {hot_stream, cold_stream};
  if (s.modes.empty() && f.short_kernels) modes.insert(modes.end(), {hot_graph, cold_graph});
  std::vector<arm> arms;
  for (const auto& [cache, launch] : modes)
    if (launch == launch_mode::stream || s.capturable)
      arms.push_back({.name = key + (cache == cache_state::hot ? "/cache:hot" : "/cache:cold") +
                              (launch == launch_mode::stream ? "/launch:stream" : "/launch:graph") +
                              variant,
                      .s = &s,
                      .cache = cache,
                      .launch = launch});
  return arms;
}

/// Samples by the host's clock, of as many calls as fill the wanted time.
void make_ready_by_host(arm& a, problem& p, const options& chosen) {
  const auto seconds_of = [&p, s = a.s](int calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
      s->launch(p, nullptr);
      if (s->kind != step_kind::baseline) COALESCE_CHECK(cudaStreamSynchronize(nullptr));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  seconds_of(1);
  const double once = seconds_of(1);
  a.launches =
      static_cast<int>(std::clamp(chosen.sample_seconds / std::max(once, 1e-7), 1.0, 512.0));
  a.sample = [seconds_of, calls = a.launches] { return seconds_of(calls) / calls; };
}

/// Gives an arm its way of taking a sample; warms it up.
void make_ready(arm& a, problem& p, const options& chosen) {
  if (timed_by_host(*a.s)) return make_ready_by_host(a, p, chosen);
  auto sampling =
      std::make_shared<sampler>([&p, s = a.s](cudaStream_t stream) { s->launch(p, stream); },
                                measure_options{.warm_up_seconds = chosen.warm_up_seconds,
                                                .cache = a.cache,
                                                .launch = a.launch,
                                                .sample_seconds = chosen.sample_seconds});
  a.launches = sampling->launches();
  a.sample = [sampling] { return sampling->sample(); };
}

/// Adds the state of the GPU; what the driver does not tell is left out.
void add_state(json_object& line, const std::optional<telemetry_reading>& seen) {
  if (!seen) return;
  if (seen->sm_clock_mhz) line.add("clock_mhz", *seen->sm_clock_mhz);
  if (seen->power_w) line.add("power_w", *seen->power_w);
  if (seen->temperature_c) line.add("temperature_c", *seen->temperature_c);
  if (seen->throttle_reasons) line.add("throttle", throttle_reasons_text(*seen->throttle_reasons));
}

/// Takes what Google Benchmark measured and writes it to the raw file.
class sample_reporter : public benchmark::BenchmarkReporter {
 public:
  sample_reporter(bench_file& out, const telemetry_recorder& state, int round)
      : out_(out), state_(state), round_(round) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      json_object line;
      line.add("type", "sample")
          .add("name", run.run_name.function_name)
          .add("round", round_)
          .add("seconds", run.real_accumulated_time / static_cast<double>(run.iterations))
          .add("launches", static_cast<std::int64_t>(run.counters.at("launches")));
      add_state(line, state_.latest());
      out_.write(line);
    }
  }

 private:
  bench_file& out_;
  const telemetry_recorder& state_;
  int round_;
};

/// One round: every arm once, in the order given.
void take_round(const std::vector<const arm*>& order, int round, const telemetry_recorder& state,
                bench_file& out) {
  benchmark::ClearRegisteredBenchmarks();
  for (const arm* a : order)
    benchmark::RegisterBenchmark(a->name.c_str(),
                                 [a](benchmark::State& state) {
                                   for (auto _ : state) state.SetIterationTime(a->sample());
                                   state.counters["launches"] = a->launches;
                                 })
        ->UseManualTime()
        ->Iterations(1);
  sample_reporter reporter(out, state, round);
  benchmark::RunSpecifiedBenchmarks(&reporter);
}

bool write_verdict(bench_file& out, const std::string& name, const verdict& checked,
                   std::optional<double> mean_error) {
  json_object line;
  line.add("type", "verify")
      .add("name", name)
      .add("verified", checked.ok)
      .add("error", checked.max_relative_error)
      .add("message", checked.message);
  if (mean_error) line.add("mean_error", *mean_error);
  out.write(line);
  if (!checked.ok) std::fprintf(stderr, "%s is wrong: %s\n", name.c_str(), checked.message.c_str());
  return checked.ok;
}

bool is_timed_at(const step& s, std::int64_t n, bool sizes_asked) {
  if (n < s.least_n || n > s.most_n) return false;
  return sizes_asked || s.only_at.empty() ||
         std::find(s.only_at.begin(), s.only_at.end(), n) != s.only_at.end();
}

/// The arms of a group that the filter and the device let through; says which steps are left out.
/// \param sizes_asked the reader named the sizes, and gets them for every step
std::vector<arm> arms_of(const chapter& c, const group& g, const std::regex& filter,
                         bool sizes_asked) {
  std::vector<arm> arms;
  for (const step& s : c.steps) {
    if (s.family != g.f->name || s.kind == step_kind::show || !is_timed_at(s, g.n, sizes_asked))
      continue;
    std::vector<arm> wanted = arms_of(c, *g.f, s, g.n);
    std::erase_if(wanted, [&](const arm& a) { return !std::regex_search(a.name, filter); });
    if (wanted.empty()) continue;
    if (const auto sentence = refuse_step(s))
      std::fprintf(stderr, "%s left out: %s\n", s.full_name().c_str(), sentence->c_str());
    else
      std::move(wanted.begin(), wanted.end(), std::back_inserter(arms));
  }
  return arms;
}

/// Checks an arm's step on the problem's present input, and writes the verdict down.
bool check_again(const arm& a, problem& p, bench_file& out) {
  const verdict checked = run_again(*a.s, p);
  return write_verdict(out, a.name, checked, p.mean_error());
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Checks an arm whose one run has to do, and writes down how long that took.
bool check_and_time_once(const arm& a, problem& p, bench_file& out) {
  step once = *a.s;
  double seconds = 0;
  once.launch = [&](problem& same, cudaStream_t stream) {
    const auto start = std::chrono::steady_clock::now();
    a.s->launch(same, stream);
    seconds = seconds_since(start);
  };
  const verdict checked = run_again(once, p);
  if (!write_verdict(out, a.name, checked, p.mean_error())) return false;
  out.write(json_object()
                .add("type", "sample")
                .add("name", a.name)
                .add("round", 0)
                .add("seconds", seconds)
                .add("launches", 1));
  return true;
}

/// Measures all arms of one family at one size.
/// \param seconds that all of it may take; at least `least_rounds` rounds are made all the same
/// \return false when a step gave a wrong answer
bool bench_group(const chapter& c, const group& g, double seconds, const options& chosen,
                 const telemetry_recorder& state, bench_file& out) {
  std::vector<arm> arms = arms_of(c, g, std::regex(chosen.filter), !chosen.sizes.empty());
  if (arms.empty()) return true;
  if (const auto sentence =
          refuse_elements(g.n, static_cast<std::size_t>(g.f->device_bytes_per_element))) {
    std::fprintf(stderr, "%s at n = %lld left out: %s\n", g.f->name.c_str(),
                 static_cast<long long>(g.n), sentence->c_str());
    return true;
  }

  const auto beginning = std::chrono::steady_clock::now();
  const auto p = g.f->make(g.n);
  bool all_right = true;
  p->prepare(fresh_seed());
  std::erase_if(arms, [&](arm& a) {
    out.write(json_object()
                  .add("type", "row")
                  .add("name", a.name)
                  .add("family", g.f->name)
                  .add("step", a.s->name)
                  .add("n", g.n)
                  .add("rival", a.s->rival)
                  .add("kind", a.s->kind == step_kind::baseline ? "baseline" : "measure")
                  .add("bytes", work_of(*a.s, *p, g.n).bytes)
                  .add("flops", work_of(*a.s, *p, g.n).flops));
    const bool once = g.n >= a.s->once_from;
    const bool ok = once ? check_and_time_once(a, *p, out) : check_again(a, *p, out);
    all_right = all_right && ok;
    if (ok && !once) make_ready(a, *p, chosen);
    return !ok || once;
  });

  std::vector<const arm*> order;
  for (const arm& a : arms) order.push_back(&a);
  std::mt19937_64 shuffler(fresh_seed());
  // Checking at the end takes about as long as what was done so far.
  const double for_rounds = seconds - 2 * seconds_since(beginning);
  const auto start = std::chrono::steady_clock::now();
  int rounds = chosen.rounds;
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), shuffler);
    take_round(order, round, state, out);
    const double each = seconds_since(start) / (round + 1);
    rounds = std::clamp(static_cast<int>(for_rounds / each), std::min(least_rounds, chosen.rounds),
                        chosen.rounds);
    if (chosen.progress)
      std::fprintf(stderr, "progress: %s n=%lld round %d of %d\n", g.f->name.c_str(),
                   static_cast<long long>(g.n), round + 1, std::max(rounds, round + 1));
  }
  p->prepare(fresh_seed());
  for (const arm& a : arms) all_right = check_again(a, *p, out) && all_right;
  return all_right;
}

/// The time in UTC, as 2026-01-31T12:00:00Z.
std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

/// Model of the host's processor, as Linux names it; empty where it does not.
std::string host_cpu() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return {};
}

/// "Linux", or "WSL" where Windows' display driver does the launching; both change small times.
std::string operating_system() {
  std::ifstream release("/proc/sys/kernel/osrelease");
  std::string text;
  std::getline(release, text);
  return text.find("icrosoft") != std::string::npos ? "WSL" : "Linux";
}

json_object context_of(const chapter& c, const device_facts& facts) {
  return json_object()
      .add("type", "context")
      .add("slug", c.slug)
      .add("device", facts_as_json(facts, current_launch_limits()))
      .add("date", utc_now())
      .add("system", operating_system())
      .add("host_cpu", host_cpu())
      .add("host_threads", std::thread::hardware_concurrency())
      .add("nvcc", COALESCE_NVCC_VERSION)
      .add("gpu_flags", COALESCE_GPU_FLAGS)
      .add("device_debug", COALESCE_DEVICE_DEBUG != 0);
}

/// All families at all their sizes, the reader's, the thorough or the default ones.
std::vector<group> groups_of(const chapter& c, const options& chosen) {
  std::vector<group> groups;
  for (const family& f : c.families) {
    std::vector<std::int64_t> sizes = chosen.sizes;
    if (sizes.empty() && chosen.thorough) sizes = f.thorough_sizes;
    if (sizes.empty()) sizes = f.bench_sizes;
    if (sizes.empty()) sizes = {f.default_n};
    for (const std::int64_t n : sizes) groups.push_back({&f, n});
  }
  return groups;
}

/// What must agree for a run to be resumed: the program's file and the options.
json_object fingerprint_of(const options& chosen) {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto written = std::filesystem::last_write_time(self, ignored).time_since_epoch().count();
  std::string sizes;
  for (const std::int64_t n : chosen.sizes) sizes += std::to_string(n) + " ";
  return json_object()
      .add("type", "fingerprint")
      .add("program", std::to_string(written))
      .add("gpu", chosen.gpu)
      .add("filter", chosen.filter)
      .add("sizes", sizes)
      .add("rounds", chosen.rounds)
      .add("thorough", chosen.thorough);
}

int bench_chapter(const chapter& c, const options& chosen) {
  const json_object fingerprint = fingerprint_of(chosen);
  const earlier_run earlier =
      chosen.resume ? read_earlier(chosen.out_path, fingerprint.text()) : earlier_run{};
  std::vector<group> groups = groups_of(c, chosen);
  const std::size_t all = groups.size();
  std::erase_if(groups, [&](const group& g) {
    return std::find(earlier.done.begin(), earlier.done.end(), g.line().text()) !=
           earlier.done.end();
  });
  bench_file out(chosen.out_path, earlier.lines);
  if (earlier.lines.empty()) {
    out.write(context_of(c, current_device_facts()));
    out.write(fingerprint);
  } else {
    std::fprintf(stderr, "resumed: %zu of %zu parts were measured before\n", all - groups.size(),
                 all);
  }

  telemetry_recorder recorder;
  bool all_right = true;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const group& g = groups[i];
    const double left = chosen.budget_seconds - seconds_since(start);
    // What the quick parts leave over goes to those behind them.
    const double share = left / static_cast<double>(groups.size() - i);
    const bool right_here = bench_group(c, g, share, chosen, recorder, out);
    all_right = all_right && right_here;
    if (right_here) out.write(g.line());
  }
  json_object end;
  end.add("type", "end").add("verified", all_right);
  if (const auto seen = recorder.stop()) {
    end.add("readings", seen->readings);
    if (seen->median_sm_clock_mhz) end.add("clock_mhz", *seen->median_sm_clock_mhz);
    if (seen->median_power_w) end.add("power_w", *seen->median_power_w);
    if (seen->max_temperature_c) end.add("temperature_c", *seen->max_temperature_c);
    if (seen->throttle_reasons) end.add("throttle", throttle_reasons_text(*seen->throttle_reasons));
  }
  out.write(end);
  return all_right ? right : wrong;
}

}  // namespace

int bench_main(int argc, char** argv, const chapter& c) {
  options chosen;
  CLI::App app{"Times the steps of chapter " + c.slug + " of Coalesce"};
  app.add_option("--out", chosen.out_path, "raw samples, one JSON object a line")->required();
  app.add_option("--filter", chosen.filter, "only keys that match this regular expression");
  app.add_option("--n", chosen.sizes, "sizes in elements instead of the chapter's own")
      ->check(whole_number());
  app.add_option("--rounds", chosen.rounds, "samples of every arm")
      ->check(whole_number(1, largest_int));
  app.add_option("--budget", chosen.budget_seconds,
                 "seconds for the whole run: fewer rounds where it would take longer")
      ->check(amount());
  app.add_flag("--thorough", chosen.thorough, "the published sizes instead of the quick ones");
  app.add_flag("--resume", chosen.resume,
               "go on with an interrupted run of the same kind in --out");
  app.add_option("--min-time", chosen.sample_seconds, "wanted seconds of one sample")
      ->check(amount());
  app.add_option("--warm-up", chosen.warm_up_seconds, "seconds of work before the first sample")
      ->check(amount(true));
  app.add_option("--gpu", chosen.gpu, "number of the GPU")->check(whole_number(0, largest_int));
  app.add_flag("--progress", chosen.progress, "progress on standard error");
  if (const auto code = parse_command_line(app, argc, argv)) return *code;
  try {
    std::regex{chosen.filter};
  } catch (const std::regex_error&) {
    std::fprintf(stderr, "--filter '%s' is not a regular expression.\n", chosen.filter.c_str());
    return usage;
  }
  if (COALESCE_DEVICE_DEBUG) {
    std::fprintf(stderr,
                 "This is a device-debug build (-G), whose times mean nothing: configure with "
                 "`meson configure build -Dbuildtype=release` and build again.\n");
    return usage;
  }
  try {
    if (on_cpu_device()) {
      std::fprintf(stderr, "The CPU device is for answers and counts; times need a GPU.\n");
      return no_gpu;
    }
    if (const auto sentence = refuse_device(chosen.gpu)) {
      std::fprintf(stderr, "%s\n", sentence->c_str());
      return no_gpu;
    }
    COALESCE_CHECK(cudaSetDevice(chosen.gpu));
    return bench_chapter(c, chosen);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return wrong;
  }
}

}  // namespace coalesce
