#include "coalesce/bench.hpp"

#include <benchmark/benchmark.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <random>
#include <regex>
#include <thread>

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
  double sample_seconds = 2e-3;
  double warm_up_seconds = 0.1;
  int gpu = 0;
  bool progress = false;
};

/// The raw file: one JSON object a line, each flushed as it is written.
class raw_file {
 public:
  explicit raw_file(const std::string& path) : path_(path), file_(path) { require_good(); }

  void write(const json_object& line) {
    file_ << line.text() << '\n' << std::flush;
    require_good();
  }

 private:
  void require_good() const {
    if (!file_) throw std::runtime_error("cannot write " + path_);
  }
  std::string path_;
  std::ofstream file_;
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

/// The arms of one step: baselines have one, steps one for each mode of their family.
std::vector<arm> arms_of(const chapter& c, const family& f, const step& s, std::int64_t n) {
  const std::string key = key_of(c, s, n);
  if (s.kind == step_kind::baseline) return {{.name = key, .s = &s}};
  std::vector<arm> arms;
  for (const auto launch : {launch_mode::stream, launch_mode::graph})
    for (const auto cache : {cache_state::hot, cache_state::cold})
      if (launch == launch_mode::stream || (f.short_kernels && s.capturable))
        arms.push_back(
            {.name = key + (cache == cache_state::hot ? "/cache:hot" : "/cache:cold") +
                     (launch == launch_mode::stream ? "/launch:stream" : "/launch:graph"),
             .s = &s,
             .cache = cache,
             .launch = launch});
  return arms;
}

/// Gives an arm its way of taking a sample; warms it up.
void make_ready(arm& a, problem& p, const options& chosen) {
  if (a.s->kind == step_kind::baseline) {
    a.sample = [&p, s = a.s] {
      const auto start = std::chrono::steady_clock::now();
      s->launch(p, nullptr);
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    a.sample();
    return;
  }
  auto sampling =
      std::make_shared<sampler>([&p, s = a.s](cudaStream_t stream) { s->launch(p, stream); },
                                measure_options{.warm_up_seconds = chosen.warm_up_seconds,
                                                .cache = a.cache,
                                                .launch = a.launch,
                                                .sample_seconds = chosen.sample_seconds});
  a.launches = sampling->launches();
  a.sample = [sampling] { return sampling->sample(); };
}

/// Takes what Google Benchmark measured and writes it to the raw file.
class sample_reporter : public benchmark::BenchmarkReporter {
 public:
  sample_reporter(raw_file& out, int round) : out_(out), round_(round) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      out_.write(
          json_object()
              .add("type", "sample")
              .add("name", run.run_name.function_name)
              .add("round", round_)
              .add("seconds", run.real_accumulated_time / static_cast<double>(run.iterations))
              .add("launches", static_cast<std::int64_t>(run.counters.at("launches"))));
  }

 private:
  raw_file& out_;
  int round_;
};

/// One round: every arm once, in the order given.
void take_round(const std::vector<const arm*>& order, int round, raw_file& out) {
  benchmark::ClearRegisteredBenchmarks();
  for (const arm* a : order)
    benchmark::RegisterBenchmark(a->name.c_str(),
                                 [a](benchmark::State& state) {
                                   for (auto _ : state) state.SetIterationTime(a->sample());
                                   state.counters["launches"] = a->launches;
                                 })
        ->UseManualTime()
        ->Iterations(1);
  sample_reporter reporter(out, round);
  benchmark::RunSpecifiedBenchmarks(&reporter);
}

bool write_verdict(raw_file& out, const std::string& name, const verdict& checked) {
  out.write(json_object()
                .add("type", "verify")
                .add("name", name)
                .add("verified", checked.ok)
                .add("error", checked.max_relative_error)
                .add("message", checked.message));
  if (!checked.ok) std::fprintf(stderr, "%s is wrong: %s\n", name.c_str(), checked.message.c_str());
  return checked.ok;
}

/// Measures all arms of one family at one size. \return false when a step gave a wrong answer
bool bench_family(const chapter& c, const family& f, std::int64_t n, const options& chosen,
                  raw_file& out) {
  const std::regex filter(chosen.filter);
  std::vector<arm> arms;
  for (const step& s : c.steps)
    if (s.family == f.name && s.kind != step_kind::show && n >= s.least_n && n <= s.most_n)
      for (arm& a : arms_of(c, f, s, n))
        if (std::regex_search(a.name, filter)) arms.push_back(std::move(a));
  if (arms.empty()) return true;
  if (const auto sentence =
          refuse_elements(n, static_cast<std::size_t>(f.device_bytes_per_element))) {
    std::fprintf(stderr, "%s at n = %lld left out: %s\n", f.name.c_str(), static_cast<long long>(n),
                 sentence->c_str());
    return true;
  }

  const auto p = f.make(n);
  bool all_right = true;
  std::erase_if(arms, [&](arm& a) {
    out.write(json_object()
                  .add("type", "row")
                  .add("name", a.name)
                  .add("family", f.name)
                  .add("step", a.s->name)
                  .add("n", n)
                  .add("rival", a.s->rival)
                  .add("kind", a.s->kind == step_kind::baseline ? "baseline" : "measure")
                  .add("bytes", p->work_per_launch().bytes)
                  .add("flops", p->work_per_launch().flops));
    const bool ok = write_verdict(out, a.name, run_checked(*a.s, *p, fresh_seed()));
    all_right = all_right && ok;
    if (ok) make_ready(a, *p, chosen);
    return !ok;
  });

  std::vector<const arm*> order;
  for (const arm& a : arms) order.push_back(&a);
  std::mt19937_64 shuffler(fresh_seed());
  for (int round = 0; round < chosen.rounds; ++round) {
    std::shuffle(order.begin(), order.end(), shuffler);
    take_round(order, round, out);
    if (chosen.progress)
      std::fprintf(stderr, "progress: %s n=%lld round %d of %d\n", f.name.c_str(),
                   static_cast<long long>(n), round + 1, chosen.rounds);
  }
  for (const arm& a : arms)
    all_right = write_verdict(out, a.name, run_checked(*a.s, *p, fresh_seed())) && all_right;
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

json_object context_of(const chapter& c, const device_facts& facts) {
  return json_object()
      .add("type", "context")
      .add("slug", c.slug)
      .add("device", facts_as_json(facts, current_launch_limits()))
      .add("date", utc_now())
      .add("host_cpu", host_cpu())
      .add("host_threads", std::thread::hardware_concurrency())
      .add("nvcc", COALESCE_NVCC_VERSION)
      .add("gpu_flags", COALESCE_GPU_FLAGS)
      .add("device_debug", COALESCE_DEVICE_DEBUG != 0);
}

int bench_chapter(const chapter& c, const options& chosen) {
  raw_file out(chosen.out_path);
  out.write(context_of(c, current_device_facts()));
  telemetry_recorder recorder;
  bool all_right = true;
  for (const family& f : c.families) {
    const auto sizes = !chosen.sizes.empty()    ? chosen.sizes
                       : !f.bench_sizes.empty() ? f.bench_sizes
                                                : std::vector<std::int64_t>{f.default_n};
    for (const std::int64_t n : sizes) all_right = bench_family(c, f, n, chosen, out) && all_right;
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
      ->check(CLI::NonNegativeNumber);
  app.add_option("--rounds", chosen.rounds, "samples of every arm")->check(CLI::PositiveNumber);
  app.add_option("--min-time", chosen.sample_seconds, "wanted seconds of one sample")
      ->check(CLI::PositiveNumber);
  app.add_option("--warm-up", chosen.warm_up_seconds, "seconds of work before the first sample")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--gpu", chosen.gpu, "number of the GPU")->check(CLI::NonNegativeNumber);
  app.add_flag("--progress", chosen.progress, "progress on standard error");
  try {
    app.parse(argc, argv);
    std::regex{chosen.filter};
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? right : usage;
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
