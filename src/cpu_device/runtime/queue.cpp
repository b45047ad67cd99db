#include "queue.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <random>

#include "errors.h"
#include "host_guard.h"
#include "problems.h"
#include "settings.h"
#include "silent_host.h"

namespace cpu_device {
namespace {

constexpr unsigned char kNonsense = 0xcd;
constexpr size_t kLongestQueue = 1024;  // then the first task is performed, as GPUs do

struct Queues {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<Queue>> all;  // the default stream's first
  uint32_t made = 0;
  StreamClock host;  // what the host has waited for
  Queues() { all.push_back(std::make_unique<Queue>(made++, true)); }
};

Queues& queues() {
  static Queues& once = *new Queues;
  return once;
}

/// The order in which streams that nothing orders are performed: the newest first, since that is
/// not the order in which programs are thought out; or shuffled by the seed.
std::vector<Queue*> performing_order() {
  std::vector<Queue*> order;
  for (const auto& queue : queues().all) order.insert(order.begin(), queue.get());
  static std::mt19937_64 random(settings().seed.value_or(0));
  if (settings().seed) std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Whoever still needs what `memory` holds goes first.
void perform_users(const HostMemory& memory) {
  for (const auto& queue : queues().all) {
    for (bool again = true; again;) {
      again = queue->perform_user(memory);
    }
  }
}

/// While the host is in a call of the API.
class CallOfHost {
 public:
  CallOfHost() : lock_(queues().mutex) { host_has_called(); }
  ~CallOfHost() { host_has_called(); }

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

void drop_retired() {
  std::erase_if(queues().all, [](const auto& queue) { return queue->retired && queue->idle(); });
}

}  // namespace

bool HostMemory::overlaps(const HostMemory& other) const {
  if (!height || !other.height) return false;
  const char* end = address + (height - 1) * pitch + width;
  const char* other_end = other.address + (other.height - 1) * other.pitch + other.width;
  return address < other_end && other.address < end;
}

// ---- one queue

TaskPointer Queue::push(Operation operation, const StreamClock& host) {
  auto task = std::make_shared<Task>(
      Task{std::move(operation), this, ++pushed_, std::exchange(waits_, {}), {}, false});
  if (checking()) {
    join(clock_, host);
    clock_[id_] = task->number;
    task->clock = clock_;
  }
  tasks_.push_back(task);
  return task;
}

void Queue::wait_for(const TaskPointer& task) {
  if (!task) return;
  join(clock_, task->clock);
  if (!task->done && task->queue != this) waits_.push_back(task);
}

void Queue::perform_first() {
  const TaskPointer task = tasks_.front();
  for (const TaskPointer& other : task->after) other->queue->perform_up_to(*other);
  if (task->done) return;  // one of them came after it
  tasks_.pop_front();
  task->done = true;
  task->after.clear();
  unguard(task.get());
  if (kernel_failed() && !task->operation.must_run) return;
  if (checking()) begin_task(id_, task->number, &task->clock);
  task->operation();
  if (checking()) begin_task(0, 0, nullptr);
}

void Queue::perform_first_when_asked_again() {
  if (std::exchange(tasks_.front()->asked_for, true)) perform_first();
}

void Queue::perform_up_to(const Task& task) {
  while (!task.done) perform_first();
}

void Queue::perform_all() {
  while (!tasks_.empty()) perform_first();
}

bool Queue::perform_user(const HostMemory& memory) {
  for (const TaskPointer& task : tasks_) {
    const auto& uses = task->operation.uses;
    if (std::any_of(uses.begin(), uses.end(),
                    [&](const HostMemory& each) { return each.overlaps(memory); })) {
      const TaskPointer user = task;
      perform_up_to(*user);
      return true;
    }
  }
  return false;
}

// ---- all queues

Queue& default_queue() {
  return *queues().all.front();
}

Queue& make_queue(bool blocking) {
  std::lock_guard lock(queues().mutex);
  queues().all.push_back(std::make_unique<Queue>(queues().made++, blocking));
  return *queues().all.back();
}

bool several_queues() {
  return queues().made > 1;
}

bool anything_pending() {
  return std::any_of(queues().all.begin(), queues().all.end(),
                     [](const auto& queue) { return !queue->idle(); });
}

const StreamClock& waited_for() {
  return queues().host;
}

void retire_queue(Queue& queue) {
  std::lock_guard lock(queues().mutex);
  queue.retired = true;
  drop_retired();
}

TaskPointer enqueue(Queue& queue, Operation operation) {
  const CallOfHost call;
  const OpenMemory open;
  if (queue.blocking()) {  // the default stream and these wait for one another
    for (const auto& other : queues().all) {
      const bool one_is_default = &queue == &default_queue() || other.get() == &default_queue();
      if (!one_is_default || !other->blocking() || other.get() == &queue) continue;
      queue.know(other->clock());
      if (!other->idle()) queue.wait_for(other->last());
    }
  }
  const HostMemory target = operation.writes;
  if (target.height) perform_users(target);
  for (size_t row = 0; row < target.height; ++row) {
    std::memset(target.address + row * target.pitch, kNonsense, target.width);
  }
  if (operation.calls_host() || !operation.uses.empty()) {
    watch_silent_host(operation.calls_host());
  };
  const TaskPointer task = queue.push(std::move(operation), queues().host);
  if (checking()) {
    const Operation& submitted = task->operation;
    const auto watch = [&](const HostMemory& memory, HostUse use) {
      if (memory.height) guard(task.get(), memory, use, submitted.caller);
    };
    watch(submitted.writes, HostUse::kWrites);
    watch(submitted.reads, HostUse::kReads);
    if (submitted.is_kernel) {
      for (const HostMemory& each : submitted.uses) watch(each, HostUse::kUnknown);
    }
  }
  if (queue.length() > kLongestQueue) queue.perform_first();
  return task;
}

void perform_queue(Queue& queue) {
  const CallOfHost call;
  const OpenMemory open;
  if (&queue == &default_queue()) {
    for (Queue* each : performing_order()) {
      if (!each->blocking()) continue;
      each->perform_all();
      join(queues().host, each->clock());
    }
  }
  queue.perform_all();
  join(queues().host, queue.clock());
}

void perform_early(Queue& queue) {
  const CallOfHost call;
  const OpenMemory open;
  queue.perform_all();
}

void perform_task(const Task& task) {
  const CallOfHost call;
  const OpenMemory open;
  if (!task.done) task.queue->perform_up_to(task);
  join(queues().host, task.clock);
}

bool ask_for_one(Queue& queue) {
  const CallOfHost call;
  const OpenMemory open;
  if (queue.idle()) {
    join(queues().host, queue.clock());
    return false;
  }
  queue.perform_first_when_asked_again();
  return true;
}

void perform_everything() {
  const CallOfHost call;
  const OpenMemory open;
  for (Queue* queue : performing_order()) {
    queue->perform_all();
    join(queues().host, queue->clock());
  }
  drop_retired();
}

void perform_everything_early() {
  std::unique_lock lock(queues().mutex, std::try_to_lock);
  if (!lock) return;  // the host is in a call of its own
  const OpenMemory open;
  for (Queue* queue : performing_order()) queue->perform_all();
}

}  // namespace cpu_device
