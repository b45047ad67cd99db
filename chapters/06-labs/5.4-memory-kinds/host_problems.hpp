#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "coalesce/stream.hpp"
#include "device_problems.hpp"

namespace lab54 {

/// n floats of the host that are wanted on the device, from memory of every kind.
class to_device_problem final : public coalesce::problem {
 public:
  explicit to_device_problem(std::int64_t n) : n_(n), d_to_(n) {}

  void prepare(std::uint64_t seed) override {
    values_ = coalesce::random_floats(n_, 1, 2, seed);
    for (auto& [kind, array] : arrays_) std::copy(values_.begin(), values_.end(), array->data());
    poison_output();
  }
  void poison_output() override {
    coalesce::poison(d_to_);
    COALESCE_CHECK(cudaDeviceSynchronize());
  }
  coalesce::verdict check() override {
    COALESCE_CHECK(cudaDeviceSynchronize());
    const std::vector<float> got = coalesce::to_host(d_to_);
    const auto i = std::mismatch(got.begin(), got.end(), values_.begin()).first - got.begin();
    if (i == n_) return {true, {}};
    return {false, "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
                       std::to_string(values_[i])};
  }
  std::string answer() const override { return std::to_string(n_) + " floats on the device"; }
  coalesce::work work_per_launch() const override {
    return {.bytes = static_cast<double>(d_to_.bytes())};
  }

  /// One copy from memory of a kind.
  void copy(host_kind kind, cudaStream_t stream) {
    COALESCE_CHECK(cudaMemcpyAsync(d_to_.data(), array_of(kind).data(), d_to_.bytes(),
                                   cudaMemcpyHostToDevice, stream));
  }
  /// Memory of a kind is made, filled, copied from and given back.
  void copy_once(host_kind kind, cudaStream_t stream) {
    const host_array array(kind, n_);
    std::copy(values_.begin(), values_.end(), array.data());
    COALESCE_CHECK(
        cudaMemcpyAsync(d_to_.data(), array.data(), d_to_.bytes(), cudaMemcpyHostToDevice, stream));
    COALESCE_CHECK(cudaStreamSynchronize(stream));
  }
  /// From the values themselves, by the lab's upload().
  void copy_staged(std::int64_t staging, cudaStream_t stream) {
    upload(values_.data(), n_, d_to_.data(), staging, stream);
  }

 private:
  host_array& array_of(host_kind kind) {
    auto& array = arrays_[kind];
    if (!array) {
      array = std::make_unique<host_array>(kind, n_);
      std::copy(values_.begin(), values_.end(), array->data());
    }
    return *array;
  }

  std::int64_t n_;
  coalesce::device_buffer<float> d_to_;
  std::vector<float> values_;
  std::map<host_kind, std::unique_ptr<host_array>> arrays_;
};

/// n floats that host and device use in turns: the device changes their sign, the host adds them up.
class turns_problem final : public coalesce::problem {
 public:
  explicit turns_problem(std::int64_t n)
      : mapped_(host_kind::mapped, n),
        pinned_(host_kind::pinned, n),
        unified_(allocate_unified(n)),
        n_(n),
        d_(n) {}
  ~turns_problem() override { free_unified(unified_); }

  void prepare(std::uint64_t seed) override {
    values_ = coalesce::random_floats(n_, 1, 2, seed);
    sum_ = 0;
    for (const float value : values_) sum_ += value;
    poison_output();
  }
  void poison_output() override {
    COALESCE_CHECK(cudaDeviceSynchronize());
    for (float* place : {mapped_.data(), pinned_.data(), unified_})
      std::copy(values_.begin(), values_.end(), place);
    got_ = std::numeric_limits<double>::quiet_NaN();
  }
  coalesce::verdict check() override {
    const double allowed = coalesce::machine_epsilon<double> * static_cast<double>(n_) * sum_;
    if (std::fabs(got_ + sum_) <= allowed) return {true, {}};
    return {false, "the sum is " + std::to_string(got_) + ", not " + std::to_string(-sum_)};
  }
  std::string answer() const override { return "sum = " + std::to_string(got_); }
  coalesce::work work_per_launch() const override {
    return {.bytes = 2.0 * sizeof(float) * static_cast<double>(n_)};
  }

  void in_mapped(cudaStream_t stream) {
    scale_mapped(mapped_, -1, stream);
    got_ = sum_of(mapped_.data());
  }
  void by_copies(cudaStream_t stream) {
    COALESCE_CHECK(
        cudaMemcpyAsync(d_.data(), pinned_.data(), d_.bytes(), cudaMemcpyHostToDevice, stream));
    plain::scale(d_.data(), n_, -1, stream);
    COALESCE_CHECK(
        cudaMemcpyAsync(pinned_.data(), d_.data(), d_.bytes(), cudaMemcpyDeviceToHost, stream));
    COALESCE_CHECK(cudaStreamSynchronize(stream));
    got_ = sum_of(pinned_.data());
  }
  void in_unified(bool prefetch, cudaStream_t stream) {
    got_ = scale_and_sum(unified_, n_, -1, prefetch, stream);
  }

 private:
  double sum_of(const float* values) const {
    double sum = 0;
    for (std::int64_t i = 0; i < n_; ++i) sum += values[i];
    return sum;
  }

  host_array mapped_, pinned_;
  float* unified_;
  std::int64_t n_;
  coalesce::device_buffer<float> d_;
  std::vector<float> values_;
  double sum_ = 0, got_ = 0;
};

/// n words that go to the device, through a computation and back: in parts, in order, in a pipeline.
class pipeline_problem final : public coalesce::problem {
 public:
  explicit pipeline_problem(std::int64_t n) : n_(n), d_in_(n), d_out_(n) {}

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    for (auto& [chunks, p] : pipelines_) fill(*p);
    const auto others = coalesce::random_ints(n_, 0, INT32_MAX, seed + 1);
    on_device_.assign(others.begin(), others.end());
    poison_output();
  }
  /// The device's buffers get words that no pipeline has: what a part alone has to bring or to change.
  void poison_output() override {
    for (auto& [chunks, p] : pipelines_) coalesce::poison(std::span<word>(p->out(), n_));
    d_in_.copy_from_host(std::span<const word>(on_device_));
    d_out_.copy_from_host(std::span<const word>(on_device_));
    alone_.clear();
    last_ = nullptr;
  }
  coalesce::verdict check() override {
    COALESCE_CHECK(cudaDeviceSynchronize());
    for (const part what : alone_)
      if (const coalesce::verdict checked = check_alone(what); !checked) return checked;
    if (!alone_.empty()) return {true, {}};
    if (last_ == nullptr) return {false, "nothing was run"};
    const auto [a, b] = steps_of(turns_);
    return same(last_->out(), [&, a = a, b = b](auto i) { return a * last_->in()[i] + b; });
  }
  std::string answer() const override { return std::to_string(n_) + " words went through"; }
  /// The words that go through, one way: so rates of all rows are rates of the same data.
  coalesce::work work_per_launch() const override {
    return {.bytes = static_cast<double>(d_in_.bytes())};
  }

  /// One part, for all words at once.
  void alone(part what, int turns, cudaStream_t stream) {
    alone_ = {what};
    turns_ = here(turns);
    enqueue(what, stream);
  }
  /// Both copies at the same time, all words each: what the link gives to two directions at once.
  void both_ways(cudaStream_t stream) {
    alone_ = {part::copy_in, part::copy_out};
    fork_.record(stream);
    back_.wait_for(fork_);
    enqueue(part::copy_out, back_);
    enqueue(part::copy_in, stream);
    join_.record(back_);
    COALESCE_CHECK(cudaStreamWaitEvent(stream, join_.get(), 0));
  }
  /// All parts, in chunks. \param chunks 1: one after the other
  void run(int chunks, int turns) {
    last_ = &pipeline_of(chunks);
    turns_ = here(turns);
    last_->run([this](const word* d_in, word* d_out, std::int64_t n, cudaStream_t stream) {
      plain::mix(d_in, d_out, n, turns_, stream);
    });
  }
  /// When the parts of the last run ran.
  std::vector<span_of_time> timeline() const { return last_->timeline(); }

 private:
  static int here(int turns) { return usual_turns > 0 ? usual_turns : turns; }

  void enqueue(part what, cudaStream_t stream) {
    if (n_ == 0) return;
    pipeline& p = pipeline_of(1);
    switch (what) {
      case part::copy_in:
        COALESCE_CHECK(
            cudaMemcpyAsync(d_in_.data(), p.in(), d_in_.bytes(), cudaMemcpyHostToDevice, stream));
        return;
      case part::compute:
        return plain::mix(d_in_.data(), d_out_.data(), n_, turns_, stream);
      case part::copy_out:
        COALESCE_CHECK(
            cudaMemcpyAsync(p.out(), d_out_.data(), d_in_.bytes(), cudaMemcpyDeviceToHost, stream));
        return;
    }
  }

  coalesce::verdict check_alone(part what) {
    const pipeline& p = pipeline_of(1);
    if (what == part::copy_out) return same(p.out(), [&](auto i) { return on_device_[i]; });
    if (what == part::copy_in)
      return same(coalesce::to_host(d_in_).data(), [&](auto i) { return p.in()[i]; });
    const auto [a, b] = steps_of(turns_);
    return same(coalesce::to_host(d_out_).data(),
                [&, a = a, b = b](auto i) { return a * on_device_[i] + b; });
  }
  template <class Want>
  coalesce::verdict same(const word* got, Want want) const {
    for (std::int64_t i = 0; i < n_; ++i)
      if (got[i] != want(i))
        return {false, "word " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
                           std::to_string(want(i))};
    return {true, {}};
  }

  /// `turns` steps x = a x + b in one.
  static std::pair<word, word> steps_of(int turns) {
    word a = 1, b = 0;
    for (int turn = 0; turn < turns; ++turn) {
      a *= plain::mix_a;
      b = plain::mix_a * b + plain::mix_b;
    }
    return {a, b};
  }
  void fill(pipeline& p) const {
    const auto values = coalesce::random_ints(n_, 0, INT32_MAX, seed_);
    std::copy(values.begin(), values.end(), p.in());
    coalesce::poison(std::span<word>(p.out(), n_));
  }
  pipeline& pipeline_of(int chunks) {
    auto& p = pipelines_[chunks];
    if (!p) fill(*(p = std::make_unique<pipeline>(n_, chunks)));
    return *p;
  }

  std::int64_t n_;
  coalesce::device_buffer<word> d_in_, d_out_;
  std::vector<word> on_device_;  ///< what the buffers of the device hold before a part alone
  std::uint64_t seed_ = 0;
  std::map<int, std::unique_ptr<pipeline>> pipelines_;
  pipeline* last_ = nullptr;
  std::vector<part> alone_;  ///< what ran without a pipeline
  coalesce::stream back_{coalesce::stream_kind::independent};
  coalesce::event fork_, join_;
  int turns_ = 0;
};

}  // namespace lab54
