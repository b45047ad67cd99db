/// @file
/// Work that has been submitted and not yet performed. Each stream is a queue; a task is performed
/// only when a synchronising call, or a task that comes after it, demands it. So a missing wait, a
/// buffer that is used again too early or an event in the wrong stream give wrong answers here, as
/// they may on a GPU.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "operations.h"

namespace cpu_device {

/// What the host may see of an operation before it is performed.
struct HostMemory {
  char* address = nullptr;
  size_t pitch = 0, width = 0, height = 0;  ///< rows of bytes
  bool overlaps(const HostMemory& other) const;
};

/// One kernel launch, copy, fill or host call.
class Operation {
 public:
  template <class Action, class = std::enable_if_t<std::is_invocable_v<Action>>>
  Operation(Action action) : action_(std::move(action)) {}  // NOLINT: any callable is one
  void operator()() const { action_(); }

  std::vector<HostMemory> uses;  ///< pinned or managed memory that it reads or writes
  HostMemory writes;             ///< of these, what holds nonsense until it is performed
  HostMemory reads;              ///< of these, what the host may not change until then
  Party caller;                  ///< who submitted it, when faults are looked for
  bool is_kernel = false;        ///< so what it does with what it uses will turn out
  bool must_run = false;         ///< performed even after a kernel has failed
  cudaGraphNodeType type = cudaGraphNodeTypeKernel;
  bool calls_host() const { return type == cudaGraphNodeTypeHost; }

 private:
  std::function<void()> action_;
};

class Queue;

struct Task {
  Operation operation;
  Queue* queue;
  uint32_t number;                           ///< in its queue, from 1
  std::vector<std::shared_ptr<Task>> after;  ///< tasks of other queues that come first
  StreamClock clock;  ///< what comes before it, and itself; kept when faults are looked for
  bool done = false;
  bool asked_for = false;  ///< by a query
};
using TaskPointer = std::shared_ptr<Task>;

/// The work of one stream, in order. Queues outlive their streams.
class Queue {
 public:
  Queue(uint32_t id, bool blocking) : id_(id), blocking_(blocking) {}

  bool blocking() const { return blocking_; }
  bool retired = false;
  const StreamClock& clock() const { return clock_; }
  /// Its next task comes after all that.
  void know(const StreamClock& clock) { join(clock_, clock); }
  bool idle() const { return tasks_.empty(); }
  size_t length() const { return tasks_.size(); }
  const TaskPointer& last() const { return tasks_.back(); }
  TaskPointer push(Operation operation, const StreamClock& host);
  /// The next task is performed after `task`.
  void wait_for(const TaskPointer& task);
  /// Performs the first task, and before it what comes first.
  void perform_first();
  /// The same, when it is asked for the second time: a host that asks once, as while the kernel
  /// runs, may still do what the kernel waits for.
  void perform_first_when_asked_again();
  void perform_up_to(const Task& task);
  void perform_all();
  /// Performs up to the first task that uses the memory; returns whether there was one.
  bool perform_user(const HostMemory& memory);

 private:
  uint32_t id_;
  StreamClock clock_;  // of the last task
  bool blocking_;      ///< ordered with the default stream
  uint32_t pushed_ = 0;
  std::deque<TaskPointer> tasks_;
  std::vector<TaskPointer> waits_;
};

Queue& default_queue();
/// A new one.
Queue& make_queue(bool blocking);

/// Has there ever been more than the default stream's?
bool several_queues();
bool anything_pending();
/// What the host has waited for.
const StreamClock& waited_for();
/// Its stream is destroyed; what is in it will be performed all the same.
void retire_queue(Queue& queue);

/// Hands an operation to a queue. What it will write on the host holds nonsense from now on.
TaskPointer enqueue(Queue& queue, Operation operation);
/// Performs everything that a call on this stream would wait for.
void perform_queue(Queue& queue);
/// The same, but the host does not wait for it: it merely happens now.
void perform_early(Queue& queue);
void perform_everything();
/// The same, but the host does not wait for it; nothing happens while the host is in a call.
void perform_everything_early();
void perform_task(const Task& task);
/// Answers a query: is there a task? One that has been asked for before is performed.
bool ask_for_one(Queue& queue);

}  // namespace cpu_device
