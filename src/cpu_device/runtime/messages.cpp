#include "messages.h"

#include <algorithm>

#include "checker.h"
#include "launch_check.h"
#include "operations.h"

namespace cpu_device {

bool Signal::follows(uint32_t number, const Moment& moment) const {
  if (moment.block != block) return false;
  if (moment.lane == lane) return number < before;
  if (moment.interval < interval) return true;
  return moment.interval == interval && moment.lane / 32 == lane / 32 &&
         moment.warp_epoch < warp_epoch;
}

void Seen::add(const Signals& signals) {
  add(Known{&signals, signals.size()});
}

void Seen::add(const Seen& other) {
  for (const Known& each : other.known_) add(each);
}

void Seen::add(const Known& more) {
  const auto known = std::find_if(known_.begin(), known_.end(),
                                  [&](const Known& each) { return each.signals == more.signals; });
  if (known != known_.end()) {
    known->count = std::max(known->count, more.count);
    return;
  }
  if (known_.size() == kMost) known_.erase(known_.begin());
  known_.push_back(more);
}

bool Seen::later_than(uint32_t number, const Moment& moment) const {
  return std::any_of(known_.begin(), known_.end(), [&](const Known& each) {
    const auto begin = each.signals->begin();
    return std::any_of(begin, begin + static_cast<ptrdiff_t>(each.count),
                       [&](const Signal& signal) { return signal.follows(number, moment); });
  });
}

/// An atomic, or a volatile access of global memory.
void Checker::note_signal(Worker& worker, const AccessEvent& event) {
  Messages& messages = launch_check().messages;
  auto& lane = block_->lanes[static_cast<size_t>(worker.current_lane)];
  if (messages.any && event.access != Access::kStore) {
    const auto known = messages.signals.find(event.address);
    if (known != messages.signals.end()) lane.seen.add(known->second);
  }
  if (event.access == Access::kLoad) return;
  if (block_->sends) {
    lane.moment[kInGlobal] = 0;  // what comes now is later than what the signal tells of
    messages.signals[event.address].push_back(
        {block_->number, block_->interval,
         block_->warp_epoch[static_cast<size_t>(worker.current_lane / kWarpSize)],
         launch_check().moments.next(), static_cast<uint16_t>(worker.current_lane)});
  }
  if (event.access == Access::kStore) messages.any = block_->sends = true;
}

/// A volatile load of what another thread stored as volatile, with nothing that orders the two.
void Checker::check_message(Worker& worker, const AccessEvent& event, const Cell& cell) {
  const Moments& all = moments(event.where);
  const auto& seen = block_->lanes[static_cast<size_t>(worker.current_lane)].seen;
  if ((seen.empty() && block_->seen.empty()) || !all.knows(cell.write)) return;
  const Moment& moment = all[cell.write];
  if (after(worker, event.where, cell.write, moment)) return;
  if (!seen.later_than(cell.write, moment) && !block_->seen.later_than(cell.write, moment)) return;
  add_problem({"unfenced message", worker.launch->kernel->name, this_lane(event.pc),
               performed_operation(moment.operation)
                   .party(decode_code(cell.write_code), moment.block, moment.lane),
               "this thread has seen a flag that another one changed after it had stored these "
               "data, with no fence in between, so the flag may be seen without the data: a "
               "__threadfence() is missing between data and flag"});
}

}  // namespace cpu_device
