#include "coalesce/timer.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "coalesce/device.hpp"

namespace coalesce {
namespace {

using host_clock = std::chrono::steady_clock;

double seconds_since(host_clock::time_point start) {
  return std::chrono::duration<double>(host_clock::now() - start).count();
}

constexpr int most_inner = 512;         // a stream's queue is 1024 deep
constexpr int most_chosen_inner = 200;  // and one call may launch several kernels
constexpr double least_hold = 20e-6;    // seconds
constexpr double longest_hold = 0.1;    // seconds; a display may share this GPU

std::int64_t flush_words() {
  const auto l2 = current_device_facts().l2_bytes;
  if (on_cpu_device() || !l2) return 0;
  return static_cast<std::int64_t>(3 * *l2 / sizeof(std::uint32_t) / 4 * 4);
}

/// One flusher a device for all samplers: its buffer is large.
std::shared_ptr<cache_flusher> shared_flusher() {
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<cache_flusher>> flushers;
  int device = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  std::shared_ptr<cache_flusher> flusher = flushers[device].lock();
  if (!flusher) flushers[device] = flusher = std::make_shared<cache_flusher>();
  return flusher;
}

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("measure: " + message);
}

}  // namespace

void event_timer::start(cudaStream_t stream) {
  start_.record(stream);
  state_ = state::running;
}

void event_timer::stop(cudaStream_t stream) {
  if (state_ != state::running) throw std::logic_error("event_timer: stop() without start()");
  stop_.record(stream);
  state_ = state::stopped;
}

double event_timer::seconds() const {
  if (state_ != state::stopped)
    throw std::logic_error("event_timer: seconds() needs start() and stop() before it");
  return seconds_between(start_, stop_);
}

bool event_timer::started() const {
  return state_ != state::fresh && start_.passed();
}

cache_flusher::cache_flusher() : buffer_(flush_words()), sink_(buffer_.size() != 0 ? 1 : 0) {
  buffer_.fill_bytes(0);
  COALESCE_CHECK(cudaStreamSynchronize(nullptr));
}

void cache_flusher::flush(cudaStream_t stream) {
  if (buffer_.size() != 0) detail::read_all(buffer_.data(), buffer_.size(), sink_.data(), stream);
}

measure_options quick_look() {
  measure_options options;
  options.warm_up_seconds = 0.05;
  options.samples = 11;
  return options;
}

struct sampler::parts {
  std::function<void(cudaStream_t)> launch;
  measure_options options;
  stream queue;
  event_timer timer;
  std::shared_ptr<cache_flusher> flusher;
  std::optional<graph_replay> graph;
  int inner = 1;
  double hold = least_hold;
  bool held = true;

  void warm_up();
  int choose_inner(double seconds_per_launch) const;
  void enqueue();
  double hot_sample();
  double cold_sample();
};

/// Work for the time asked, untimed; then the number of launches a sample.
void sampler::parts::warm_up() {
  launch(queue);  // loads the kernel
  queue.synchronize();
  const auto start = host_clock::now();
  int launches = 0;
  do {
    const int batch = std::clamp(launches, 1, 64);
    timer.start(queue);
    for (int i = 0; i < batch; ++i) launch(queue);
    timer.stop(queue);
    launches += batch;
    inner = choose_inner(timer.seconds() / batch);
  } while (seconds_since(start) < options.warm_up_seconds);
}

int sampler::parts::choose_inner(double seconds_per_launch) const {
  if (options.inner != 0) return options.inner;
  if (options.cache == cache_state::cold) return 1;
  const double wanted = options.sample_seconds / std::max(seconds_per_launch, 1e-7);
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(most_chosen_inner)));
}

void sampler::parts::enqueue() {
  if (graph)
    graph->replay(queue);
  else
    launch(queue);
}

double sampler::parts::hot_sample() {
  const int calls = graph ? 1 : inner;
  for (;;) {
    if (hold > 0) detail::spin_for(hold, queue);
    launch(queue);  // untimed: brings its data back into the cache after another kernel's sample
    timer.start(queue);
    for (int i = 0; i < calls; ++i) enqueue();
    timer.stop(queue);
    held = !timer.started();  // the device has not come to the start yet: all is queued behind it
    const double seconds = timer.seconds() / inner;
    if (held || hold == 0) return seconds;
    hold = hold < longest_hold ? 2 * hold : 0;  // 0: this launch cannot be held
  }
}

double sampler::parts::cold_sample() {
  double sum = 0;
  held = true;
  for (int i = 0; i < inner; ++i) {
    detail::spin_for(least_hold, queue);
    flusher->flush(queue);
    timer.start(queue);
    enqueue();
    timer.stop(queue);
    held = held && !timer.started();
    sum += timer.seconds();
  }
  return sum / inner;
}

sampler::sampler(std::function<void(cudaStream_t)> launch, const measure_options& options) {
  if (on_cpu_device())
    throw std::logic_error("the CPU device counts and checks; times come from a GPU only");
  require(options.inner >= 0 && options.inner <= most_inner,
          "inner is " + std::to_string(options.inner) + ", it must be 0 to 512");
  require(options.warm_up_seconds >= 0, "warm_up_seconds is negative");
  require(options.sample_seconds > 0, "sample_seconds must be positive");
  parts_ = std::make_unique<parts>();
  parts& p = *parts_;
  p.launch = std::move(launch);
  p.options = options;
  p.warm_up();
  if (options.cache == cache_state::cold) p.flusher = shared_flusher();
  if (options.launch == launch_mode::graph) {
    p.graph.emplace(p.launch, options.cache == cache_state::cold ? 1 : p.inner);
    if (p.graph->operations() == 0)
      throw std::logic_error(
          "measure: the graph is empty. The launch must enqueue its work on the stream it is "
          "given.");
  }
  sample();  // the first replay also uploads the graph; and the hold finds its length
}

sampler::~sampler() = default;
sampler::sampler(sampler&&) noexcept = default;
sampler& sampler::operator=(sampler&&) noexcept = default;

double sampler::sample() {
  parts& p = *parts_;
  return p.options.cache == cache_state::cold ? p.cold_sample() : p.hot_sample();
}

int sampler::launches() const noexcept {
  return parts_->inner;
}

bool sampler::held() const noexcept {
  return parts_->held;
}

std::vector<double> measure(std::function<void(cudaStream_t)> launch,
                            const measure_options& options) {
  require(options.samples >= 1,
          "samples is " + std::to_string(options.samples) + ", it must be at least 1");
  sampler one(std::move(launch), options);
  std::vector<double> seconds;
  for (int i = 0; i < options.samples; ++i) seconds.push_back(one.sample());
  return seconds;
}

}  // namespace coalesce
