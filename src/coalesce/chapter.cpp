#include "coalesce/chapter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "coalesce/command_line.hpp"
#include "coalesce/device.hpp"
#include "coalesce/error.hpp"
#include "coalesce/json.hpp"
#include "coalesce/statistics.hpp"
#include "coalesce/timer.hpp"

namespace coalesce {
namespace {

enum exit_code { right = 0, wrong = 1, usage = 2, no_gpu = 4 };

const char* name_of(step_kind kind) {
  switch (kind) {
    case step_kind::measure:
      return "measure";
    case step_kind::baseline:
      return "baseline";
    case step_kind::show:
      return "show";
  }
  return "?";
}

std::int64_t default_n(const chapter& c, const step& s) {
  return s.kind == step_kind::show ? 0 : c.family_of(s).default_n;
}

int list_steps(const chapter& c, bool as_json) {
  if (!as_json) {
    for (const step& s : c.steps)
      std::printf("%-24s %-9s %s\n", s.full_name().c_str(), name_of(s.kind), s.title.c_str());
    return right;
  }
  json_array rows;
  for (const step& s : c.steps)
    rows.add(json_object()
                 .add("name", s.name)
                 .add("variant", s.variant)
                 .add("family", s.family)
                 .add("title", s.title)
                 .add("kind", name_of(s.kind))
                 .add("rival", s.rival)
                 .add("default_n", default_n(c, s))
                 .add("least_n", s.least_n)
                 .add("most_n", s.most_n));
  std::printf("%s\n", rows.text().c_str());
  return right;
}

/// `names` without repetitions, joined by commas.
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) ==
        names.begin() + static_cast<std::ptrdiff_t>(i))
      text += (text.empty() ? "" : ", ") + names[i];
  return text;
}

/// The step of that name and variant; an empty variant is the first row of the name.
const step* find_step(const chapter& c, const std::string& name, const std::string& variant) {
  std::vector<std::string> names, variants;
  for (const step& s : c.steps) {
    names.push_back(s.name);
    if (s.name != name) continue;
    if (variant.empty() || s.variant == variant) return &s;
    variants.push_back(s.variant);
  }
  if (variants.empty())
    std::fprintf(stderr, "%s has no step '%s'. Its steps: %s.\n", c.slug.c_str(), name.c_str(),
                 joined(names).c_str());
  else
    std::fprintf(stderr, "Step %s has no variant '%s'. Its variants: %s.\n", name.c_str(),
                 variant.c_str(), joined(variants).c_str());
  return nullptr;
}

/// One sentence when `n` is not a size this step accepts on this device, else nothing.
std::optional<std::string> refusal(const chapter& c, const step& s, std::int64_t n) {
  if (n < s.least_n || n > s.most_n)
    return "--n is " + std::to_string(n) + ": step " + s.name + " takes " +
           std::to_string(s.least_n) + " to " + std::to_string(s.most_n) + " elements.";
  if (auto sentence = refuse_step(s)) return sentence;
  if (s.kind == step_kind::show) return std::nullopt;
  return refuse_elements(n, c.family_of(s).device_bytes_per_element);
}

struct options {
  std::string step_name;
  std::string variant;
  std::optional<std::int64_t> n;
  std::uint64_t seed = fresh_seed();
  std::string json_path;
  int gpu = 0;
};

void write_json(const std::string& path, const json_object& report) {
  if (path.empty()) return;
  std::ofstream file(path);
  file << report.text() << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

/// The step's default size, halved until it fits into a third of the free memory; says so.
std::int64_t fitting_default_n(const chapter& c, const step& s) {
  const std::int64_t wanted = default_n(c, s);
  if (s.kind == step_kind::show) return wanted;
  const auto bytes = static_cast<std::size_t>(c.family_of(s).device_bytes_per_element);
  const std::int64_t most = default_elements(wanted, bytes).elements;
  std::int64_t n = wanted;
  while (n > most) n /= 2;
  if (n < wanted)
    std::fprintf(stderr,
                 "n is %lld here, not %lld: a third of the free device memory holds no more.\n",
                 static_cast<long long>(n), static_cast<long long>(wanted));
  return n;
}

int run_step(const chapter& c, const step& s, const options& chosen) {
  const std::int64_t n = chosen.n ? *chosen.n : fitting_default_n(c, s);
  if (const auto sentence = refusal(c, s, n)) {
    std::fprintf(stderr, "%s\n", sentence->c_str());
    return usage;
  }
  const device_facts facts = current_device_facts();
  std::printf("device: %s\n", facts.name.c_str());
  if (s.kind == step_kind::show) return s.show(n);

  std::printf("step:   %s, n = %lld\n", s.full_name().c_str(), static_cast<long long>(n));
  const auto p = c.family_of(s).make(n);
  const verdict checked = run_checked(s, *p, chosen.seed);
  json_object report;
  report.add("step", s.name).add("family", s.family).add("n", n).add("device", facts.name);
  report.add("verified", checked.ok).add("message", checked.message).add("result", p->answer());
  report.add("error", checked.max_relative_error);
  std::printf("result: %s\n", p->answer().c_str());
  std::printf("check:  %s\n", checked.ok ? "right" : checked.message.c_str());
  if (const auto mean = p->mean_error()) report.add("mean_error", *mean);

  if (checked.ok && n > 0 && s.kind == step_kind::measure && !on_cpu_device()) {
    // A quick look, not a result: `bench` is what records times.
    const double seconds =
        median(measure([&](cudaStream_t stream) { s.launch(*p, stream); }, quick_look()));
    const double bytes = work_of(s, *p, n).bytes;
    std::printf("time:   %.4g ms (median, hot), %.4g GB/s\n", seconds * 1e3,
                bytes / seconds * 1e-9);
    report.add("seconds", seconds).add("bytes_per_second", bytes / seconds);
  }
  write_json(chosen.json_path, report);
  return checked.ok ? right : wrong;
}

}  // namespace

const family& chapter::family_of(const step& s) const {
  for (const family& f : families)
    if (f.name == s.family) return f;
  throw std::out_of_range("chapter " + slug + " has no family '" + s.family + "' for step " +
                          s.name);
}

step make_show(std::string name, int (*run)(std::int64_t n), std::string title) {
  step s;
  s.name = std::move(name);
  s.title = std::move(title);
  s.kind = step_kind::show;
  s.show = run;
  return s;
}

std::optional<std::string> refuse_step(const step& s) {
  if (on_cpu_device())
    return s.cpu_device ? std::nullopt
                        : std::optional("Step " + s.name +
                                        " needs a GPU: the CPU device does not have what it uses.");
  if (s.least_capability == 0) return std::nullopt;
  const device_facts facts = current_device_facts();
  if (facts.compute_capability >= s.least_capability) return std::nullopt;
  const auto dotted = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return "Step " + s.name + " needs compute capability " + dotted(s.least_capability) + "; " +
         facts.name + " has " + dotted(facts.compute_capability) + ".";
}

work work_of(const step& s, const problem& p, std::int64_t n) {
  return s.moves ? s.moves(n) : p.work_per_launch();
}

verdict run_again(const step& s, problem& p) {
  p.poison_output();
  s.launch(p, nullptr);
  return s.check ? s.check(p) : p.check();
}

verdict run_checked(const step& s, problem& p, std::uint64_t seed) {
  p.prepare(seed);
  return run_again(s, p);
}

int chapter_main(int argc, char** argv, const chapter& c) {
  CLI::App app{"Steps of chapter " + c.slug + " of Coalesce"};
  app.require_subcommand(1);
  bool as_json = false;
  options chosen;
  auto* list = app.add_subcommand("list", "List the steps");
  list->add_flag("--json", as_json, "as JSON");
  auto* run = app.add_subcommand("run", "Run one step and check its answer");
  run->add_option("STEP", chosen.step_name, "name of the step")->required();
  run->add_option("--variant", chosen.variant, "settings of the step, as `list` shows them");
  run->add_option("--n", chosen.n, "number of elements (0 is legal)")->check(whole_number());
  run->add_option("--seed", chosen.seed, "seed of the random input");
  run->add_option("--json", chosen.json_path, "also write the outcome to this file");
  run->add_option("--gpu", chosen.gpu, "number of the GPU")->check(whole_number(0, largest_int));
  if (const auto code = parse_command_line(app, argc, argv)) return *code;
  if (list->parsed()) return list_steps(c, as_json);

  const step* s = find_step(c, chosen.step_name, chosen.variant);
  if (s == nullptr) return usage;
  try {
    if (const auto sentence = refuse_device(chosen.gpu)) {
      std::fprintf(stderr, "%s\n", sentence->c_str());
      return no_gpu;
    }
    COALESCE_CHECK(cudaSetDevice(chosen.gpu));
    return run_step(c, *s, chosen);
  } catch (const std::exception& e) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", e.what());
    return wrong;
  }
}

}  // namespace coalesce
