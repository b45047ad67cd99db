#include "operations.h"

#include <algorithm>
#include <vector>

#include "kernel.h"
#include "launch_check.h"
#include "memory.h"
#include "queue.h"
#include "shadow.h"

namespace cpu_device {
namespace {

constexpr size_t kMostMoments = size_t{1} << 24;  // then faults are overlooked, to save memory

struct Present {
  uint32_t queue = 0, number = 0;
  const StreamClock* clock = nullptr;
};
Present present;

std::vector<PerformedOperation> noted;  // since the last time that all came before one
uint32_t first_noted = 1;

bool knows(const StreamClock& clock, const PerformedOperation& operation) {
  const auto found = clock.find(operation.queue);
  return found != clock.end() && found->second >= operation.number;
}

Shadow* shadow_at(const void* pointer) {
  const auto where = reinterpret_cast<uintptr_t>(pointer);
  if (const auto found = allocation_of(pointer)) return found->shadow.get();
  const Variable* variable = variable_at(where);
  return variable ? shadow_of(*variable) : nullptr;
}

void report_unordered(const Moment& earlier, uint32_t code, const Party& caller, const char* what) {
  const PerformedOperation& other = performed_operation(earlier.operation);
  add_problem({"race", other.kernel, caller,
               other.party(decode_code(code), earlier.block, earlier.lane),
               std::string("a copy or fill ") + what +
                   " in another stream has touched, and nothing "
                   "orders the two streams: an event or a synchronising call is missing"});
}

}  // namespace

void join(StreamClock& into, const StreamClock& more) {
  for (const auto& [queue, number] : more) {
    uint32_t& known = into[queue];
    known = std::max(known, number);
  }
}

Party PerformedOperation::party(const void* pc, uint32_t number, uint16_t lane) const {
  if (kernel.empty()) return caller;
  return {{pc},
          true,
          {lane % block.x, lane / block.x % block.y, lane / (block.x * block.y)},
          {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y}};
}

void begin_task(uint32_t queue, uint32_t number, const StreamClock* clock) {
  present = {queue, number, clock};
}

uint32_t note_operation(PerformedOperation&& operation, bool* forget) {
  operation.queue = present.queue;
  operation.number = present.number;
  // Whatever is performed from now on must come after all that is forgotten.
  *forget = !present.clock || !several_queues() || launch_check().moments.size() > kMostMoments ||
            (!anything_pending() && std::all_of(noted.begin(), noted.end(), [](const auto& each) {
              return knows(waited_for(), each) && knows(*present.clock, each);
            }));
  if (*forget) {
    first_noted += static_cast<uint32_t>(noted.size());
    noted.clear();
  }
  noted.push_back(std::move(operation));
  return first_noted + static_cast<uint32_t>(noted.size()) - 1;
}

const PerformedOperation& performed_operation(uint32_t number) {
  return noted[number - first_noted];
}

bool comes_after(uint32_t number) {
  if (number < first_noted || !present.clock) return true;
  return knows(*present.clock, performed_operation(number));
}

void check_copy(const void* target, const void* source, size_t bytes, const Party& caller) {
  if (!bytes || !present.clock || !several_queues()) return;
  Moments& moments = launch_check().moments;
  bool forget = false;
  PerformedOperation copy;
  copy.caller = caller;
  const uint32_t operation = note_operation(std::move(copy), &forget);
  if (forget) moments.forget();
  const uint32_t number = moments.add({operation, 0, 0, 0, 0, 0});
  const auto unordered = [&](uint32_t other) {
    return other && moments.knows(other) && !comes_after(moments[other].operation);
  };
  if (Shadow* shadow = source ? shadow_at(source) : nullptr) {
    const auto cells = shadow->cells(reinterpret_cast<uintptr_t>(source), bytes);
    for (size_t i = 0; i < cells.count; ++i) {
      Cell& cell = cells.first[i];
      if (unordered(cell.write)) {
        report_unordered(moments[cell.write], cell.write_code, caller,
                         "reads what a kernel or copy");
        break;
      }
      cell.read[1] = cell.read[0];
      cell.read_code[1] = cell.read_code[0];
      cell.lanes[1] = cell.lanes[0];
      cell.read[0] = number;
      cell.lanes[0] = 1;
      cell.read_code[0] = 0;
    }
  }
  if (Shadow* shadow = target ? shadow_at(target) : nullptr) {
    const auto cells = shadow->cells(reinterpret_cast<uintptr_t>(target), bytes);
    bool told = false;
    for (size_t i = 0; i < cells.count; ++i) {
      Cell& cell = cells.first[i];
      const uint32_t others[] = {cell.write, cell.read[0], cell.read[1]};
      const uint32_t codes[] = {cell.write_code, cell.read_code[0], cell.read_code[1]};
      for (int k = 0; k < 3 && !told; ++k) {
        if (!unordered(others[k])) continue;
        report_unordered(moments[others[k]], codes[k], caller, "writes what a kernel or copy");
        told = true;
      }
      cell = {number, 0};
    }
  }
}

}  // namespace cpu_device
