#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/verify.hpp"

/// \addtogroup chapter
/// @{

namespace coalesce {

/// How a family of array problems is made: n inputs of type `In` give m outputs of type `Out`.
/// The reference answers in `Want`: double where floats are compared with something better.
template <class In, class Out, class Want = Out>
struct array_definition {
  std::string name;
  std::int64_t default_n = 0;
  std::vector<std::int64_t> bench_sizes;
  /// Fresh random input. \param n elements \param seed of the generator
  std::vector<In> (*make_input)(std::int64_t n, std::uint64_t seed);
  /// The plainest answer on the host, written to `out`.
  void (*reference)(std::span<const In> in, std::span<Want> out);
  /// Compares device and host answers.
  verdict (*compare)(std::span<const Out> got, std::span<const Want> want);
  /// The answer in words.
  std::string (*describe)(std::span<const Out> out);
  /// Elements of the output for n inputs.
  std::int64_t (*outputs)(std::int64_t n);
  /// Floating-point operations for n inputs; may be null.
  double (*flops)(std::int64_t n) = nullptr;
  bool short_kernels = false;  ///< see family::short_kernels
  /// Bytes of device scratch that steps share; null: none.
  std::int64_t (*workspace_bytes)(std::int64_t n) = nullptr;
  std::vector<std::int64_t> thorough_sizes = {};  ///< see family::thorough_sizes
};

/// A problem that reads one array and writes another.
template <class In, class Out, class Want = Out>
class array_problem final : public problem {
 public:
  /// A step on the device: n inputs at `d_in`, outputs at `d_out`, everything enqueued on `stream`.
  using device_step = void(const In* d_in, std::int64_t n, Out* d_out, cudaStream_t stream);
  /// The same with scratch as CUB's temporary storage: definition.workspace_bytes(n) bytes, zeroed
  /// once, when the problem is made. A step must leave it ready for the next launch of any step.
  using workspace_step = void(const In* d_in, std::int64_t n, Out* d_out, void* d_workspace,
                              cudaStream_t stream);
  /// A baseline on the host.
  using host_step = void(std::span<const In> in, std::span<Out> out);

  array_problem(const array_definition<In, Out, Want>& definition, std::int64_t n)
      : definition_(definition),
        n_(n),
        d_in_(n),
        d_out_(definition.outputs(n)),
        d_workspace_(definition.workspace_bytes ? definition.workspace_bytes(n) : 0),
        want_(static_cast<std::size_t>(definition.outputs(n))),
        got_(want_.size()) {
    if (d_workspace_.size() > 0)
      COALESCE_CHECK(cudaMemset(d_workspace_.data(), 0, d_workspace_.bytes()));
  }

  void prepare(std::uint64_t seed) override {
    in_ = definition_.make_input(n_, seed);
    definition_.reference(in_, want_);
    d_in_.copy_from_host(std::span<const In>(in_));
    poison_output();
  }

  void poison_output() override {
    poison(d_out_);
    poison(std::span<Out>(got_));
    ran_on_host_ = false;
  }

  verdict check() override {
    if (!ran_on_host_) {
      COALESCE_CHECK(cudaDeviceSynchronize());
      d_out_.copy_to_host(std::span<Out>(got_));
    }
    return definition_.compare(got_, want_);
  }

  /// Input and last output on the host, for a step's own check. Waits for the device.
  std::span<const In> input() const { return in_; }
  std::span<const Out> output() {
    COALESCE_CHECK(cudaDeviceSynchronize());
    d_out_.copy_to_host(std::span<Out>(got_));
    return got_;
  }

  std::string answer() const override { return definition_.describe(got_); }

  work work_per_launch() const override {
    return {static_cast<double>(d_in_.bytes()) + static_cast<double>(d_out_.bytes()),
            definition_.flops ? definition_.flops(n_) : 0.0};
  }

  void launch(device_step* run, cudaStream_t stream) {
    run(d_in_.data(), n_, d_out_.data(), stream);
  }

  void launch(workspace_step* run, cudaStream_t stream) {
    run(d_in_.data(), n_, d_out_.data(), d_workspace_.data(), stream);
  }

  void run_on_host(host_step* run) {
    run(in_, got_);
    ran_on_host_ = true;
  }

 private:
  const array_definition<In, Out, Want>&
      definition_;  // lives in the chapter, longer than any problem
  std::int64_t n_;
  std::vector<In> in_;
  device_buffer<In> d_in_;
  device_buffer<Out> d_out_;
  device_buffer<std::byte> d_workspace_;
  std::vector<Want> want_;
  std::vector<Out> got_;
  bool ran_on_host_ = false;
};

/// The family of `definition`, which must outlive it (a constant of the chapter).
template <class In, class Out, class Want>
family make_family(const array_definition<In, Out, Want>& definition) {
  return {.name = definition.name,
          .default_n = definition.default_n,
          .bench_sizes = definition.bench_sizes,
          .thorough_sizes = definition.thorough_sizes,
          // As if every input had an output: a little too much for a sum, never too little.
          .device_bytes_per_element = sizeof(In) + sizeof(Out),
          .short_kernels = definition.short_kernels,
          .make = [&definition](std::int64_t n) {
            return std::make_unique<array_problem<In, Out, Want>>(definition, n);
          }};
}

/// A step on the device.
template <class In, class Out, class Want>
step make_step(const array_definition<In, Out, Want>& definition, std::string name,
               typename array_problem<In, Out, Want>::device_step* run, std::string title) {
  return {.name = std::move(name),
          .family = definition.name,
          .title = std::move(title),
          .launch = [run](problem& p, cudaStream_t stream) {
            static_cast<array_problem<In, Out, Want>&>(p).launch(run, stream);
          }};
}

/// A step on the device that uses the family's scratch.
template <class In, class Out, class Want>
step make_step(const array_definition<In, Out, Want>& definition, std::string name,
               typename array_problem<In, Out, Want>::workspace_step* run, std::string title) {
  return {.name = std::move(name),
          .family = definition.name,
          .title = std::move(title),
          .launch = [run](problem& p, cudaStream_t stream) {
            static_cast<array_problem<In, Out, Want>&>(p).launch(run, stream);
          }};
}

/// A library's answer to the family's problem: as a step, but the one that ours are divided by.
template <class In, class Out, class Want, class Run>
step make_rival(const array_definition<In, Out, Want>& definition, std::string name, Run* run,
                std::string title) {
  step s = make_step(definition, std::move(name), run, std::move(title));
  s.rival = true;
  s.cpu_device = false;
  return s;
}

/// A baseline on the host.
template <class In, class Out, class Want>
step make_baseline(const array_definition<In, Out, Want>& definition, std::string name,
                   typename array_problem<In, Out, Want>::host_step* run, std::string title) {
  return {.name = std::move(name),
          .family = definition.name,
          .title = std::move(title),
          .kind = step_kind::baseline,
          .launch = [run](problem& p, cudaStream_t) {
            static_cast<array_problem<In, Out, Want>&>(p).run_on_host(run);
          }};
}

}  // namespace coalesce

/// @}
