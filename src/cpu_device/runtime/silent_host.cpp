#include "silent_host.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "queue.h"

namespace cpu_device {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLook{5};
constexpr int kLooksForCalls = 4, kLooksForMemory = 200;  // 20 ms, 1 s

class Watch {
 public:
  void begin(int looks) {
    std::lock_guard lock(mutex_);
    if (looks < patience_) patience_ = looks;
    if (thread_.joinable() || ended_) return;
    thread_ = std::thread([this] { loop(); });
    std::atexit([] { instance().end(); });
  }
  void hear() { calls_.fetch_add(1, std::memory_order_relaxed); }
  static Watch& instance() {
    static Watch& once = *new Watch;
    return once;
  }

 private:
  void loop() {
    unsigned long before = 0;
    for (int silent = 0; !ended_; ++silent) {
      std::this_thread::sleep_for(kLook);
      const unsigned long now = calls_.load(std::memory_order_relaxed);
      if (now != before) silent = 0;
      before = now;
      if (silent >= patience_) {
        patience_ = kLooksForMemory;
        perform_everything_early();
        silent = 0;
      }
    }
  }
  /// What it has begun is brought to its end before the program's objects go.
  void end() {
    ended_ = true;
    if (std::this_thread::get_id() == thread_.get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  std::mutex mutex_;
  std::thread thread_;
  std::atomic<unsigned long> calls_{0};
  std::atomic<int> patience_{kLooksForMemory};
  std::atomic<bool> ended_{false};
};

}  // namespace

void watch_silent_host(bool calls_host) {
  Watch::instance().begin(calls_host ? kLooksForCalls : kLooksForMemory);
}

void host_has_called() {
  Watch::instance().hear();
}

}  // namespace cpu_device
