/// @file
/// The checker's view of one access: has anything been written there, and is every earlier access
/// by another thread ordered before it?
#include <algorithm>
#include <cstring>

#include "checker.h"
#include "host_guard.h"
#include "launch_check.h"
#include "operations.h"
#include "problems.h"

namespace cpu_device {
namespace {

const char* name(Access access) {
  return access == Access::kLoad ? "load" : access == Access::kStore ? "store" : "atomic access";
}

std::string describe(const AccessEvent& event) {
  return std::string(name(event.access)) + " of " + std::to_string(event.bytes) + " bytes of " +
         (event.where == kInShared ? "shared" : "global") + " memory";
}

bool acts_atomically(const AccessEvent& event) {
  return event.access == Access::kAtomic || (event.relaxed && event.where == kInGlobal);
}

}  // namespace

void Checker::access(Worker& worker, const AccessEvent& event, Shadow& shadow) {
  if (suspicion_.kind != Suspicion::kNone) settle(&event);
  if (acts_atomically(event)) synchronise(worker, event);
  if (event.access != Access::kStore && !event.overwrites &&
      shadow.reads_unwritten(event.address, event.bytes)) {
    const std::string cause =
        event.where == kInShared
            ? " that no thread of the block has written: a part of the array was left unfilled"
            : " that nothing has written since it was allocated: a copy, a fill or an earlier "
              "kernel is missing or too short";
    add_problem({"uninitialised read",
                 worker.launch->kernel->name,
                 this_lane(event.pc),
                 {},
                 describe(event) + cause});
  }
  if (event.access != Access::kLoad) shadow.mark_written(event.address, event.bytes);
  if (!early_touches().empty()) check_against_host(worker, event);
  check_order(worker, event, shadow);
}

/// Has the host touched the same bytes since the launch was submitted? What a kernel does by
/// atomics or volatile accesses may be meant for a host that polls.
void Checker::check_against_host(Worker& worker, const AccessEvent& event) const {
  if (acts_atomically(event)) return;
  for (const HostTouch& touch : early_touches()) {
    if (touch.address - event.address >= event.bytes) continue;
    if (!touch.store && event.access == Access::kLoad) continue;
    add_problem(
        {"early host access", worker.launch->kernel->name, touch.caller, this_lane(event.pc),
         std::string("the host ") + (touch.store ? "writes" : "reads") +
             " memory of which a kernel " + (event.access == Access::kLoad ? "reads" : "writes") +
             " the same bytes, and has not waited for the kernel: a synchronising call is "
             "missing between the launch and it"});
  }
}

const Moment* Checker::conflict(Worker& worker, Where where, uint32_t number) const {
  const Moments& all = moments(where);
  if (!all.knows(number)) return nullptr;
  const Moment& moment = all[number];
  return after(worker, where, number, moment) ? nullptr : &moment;
}

void Checker::check_order(Worker& worker, const AccessEvent& event, Shadow& shadow) {
  const bool atomic = acts_atomically(event), loads = event.access == Access::kLoad;
  const uint32_t number = moment(worker, event.where);
  const bool is_volatile = atomic && event.access != Access::kAtomic;
  const uint32_t code =
      encode_code(event.pc) | (atomic ? kAtomicBit : 0) | (is_volatile ? kVolatileBit : 0);
  bool told = false;
  const auto against = [&](uint32_t other, uint32_t other_code, bool stored) {
    if (told || !other || other == number || (atomic && other_code & kAtomicBit)) return;
    if (const Moment* moment = conflict(worker, event.where, other)) {
      race(worker, event, *moment, other_code, stored);
      told = true;
    }
  };
  const auto cells = shadow.cells(event.address, event.bytes);
  for (size_t i = 0; i < cells.count; ++i) {
    Cell& cell = cells.first[i];
    against(cell.write, cell.write_code, true);
    if (loads && is_volatile && cell.write_code & kVolatileBit) check_message(worker, event, cell);
    if (loads) {
      remember_reader(worker, event.where, cell, number, code);
      continue;
    }
    for (int r = 0; r < 2; ++r) {
      if (told || (atomic && cell.read_code[r] & kAtomicBit)) continue;
      told = check_readers(worker, event, cell.read[r], cell.read_code[r], cell.lanes[r]);
    }
    cell = {number, code};
  }
}

/// Is a store ordered after all these lanes' reads? Returns whether a race was found.
bool Checker::check_readers(Worker& worker, const AccessEvent& event, uint32_t number,
                            uint32_t code, uint32_t lanes) {
  const Moments& all = moments(event.where);
  if (!number || !all.knows(number)) return false;
  Moment reader = all[number];
  if (reader.operation == launch_check().operation && reader.flight == Flight::kNone &&
      reader.block == block_->number && reader.interval < block_->interval) {
    return false;
  }
  const auto first = static_cast<uint16_t>(reader.lane / kWarpSize * kWarpSize);
  for (; lanes; lanes &= lanes - 1) {
    reader.lane = static_cast<uint16_t>(first + __builtin_ctz(lanes));
    if (after(worker, event.where, number, reader)) continue;
    race(worker, event, reader, code, false);
    return true;
  }
  return false;
}

/// Two groups of readers are remembered: lanes of a warp that read at the same instruction. Those
/// that the present reader comes after need not be.
void Checker::remember_reader(Worker& worker, Where where, Cell& cell, uint32_t number,
                              uint32_t code) {
  const Moments& all = moments(where);
  const Moment& mine = all[number];
  const uint32_t bit = uint32_t{1} << mine.lane % kWarpSize;
  int slot = -1;
  for (int r = 0; r < 2 && slot < 0; ++r) {
    const uint32_t other = cell.read[r];
    if (!other || !all.knows(other)) {
      slot = r;
      continue;
    }
    const Moment& m = all[other];
    const bool alone = cell.lanes[r] == bit && m.lane == mine.lane;
    if (other == number && alone) return;  // known
    if (m.flight != mine.flight || m.block != mine.block || m.operation != mine.operation) continue;
    if (alone && m.flight == Flight::kNone) {
      slot = r;
    } else if (cell.read_code[r] == code && m.lane / kWarpSize == mine.lane / kWarpSize &&
               m.interval == mine.interval && m.grid_epoch == mine.grid_epoch &&
               m.warp_epoch == mine.warp_epoch && other <= number) {
      cell.lanes[r] |= bit;
      return;
    }
  }
  for (int r = 0; r < 2 && slot < 0; ++r) {
    if (after(worker, where, cell.read[r], all[cell.read[r]])) slot = r;
  }
  if (slot < 0) {  // keep readers of different blocks, else of different warps
    const Moment &a = all[cell.read[0]], &b = all[cell.read[1]];
    if (a.block == b.block && (a.block != mine.block || a.lane / 32 == b.lane / 32)) slot = 1;
  }
  if (slot < 0) return;
  cell.read[slot] = number;
  cell.read_code[slot] = code;
  cell.lanes[slot] = bit;
}

void Checker::race(Worker& worker, const AccessEvent& event, const Moment& other, uint32_t code,
                   bool other_stored) {
  const PerformedOperation& operation = performed_operation(other.operation);
  const bool other_atomic = code & kAtomicBit;
  if (other.flight != Flight::kNone) {
    return add_problem({"unfinished copy", worker.launch->kernel->name, this_lane(event.pc),
                        operation.party(decode_code(code), other.block, other.lane),
                        describe(event) + " that is the " + (other_stored ? "target" : "source") +
                            " of an asynchronous copy: its thread has not waited for the copy "
                            "yet, or no barrier has told this one that it has"});
  }
  std::string text = describe(event) + ", and an earlier " +
                     (other_atomic   ? "atomic access"
                      : other_stored ? "store"
                                     : "load") +
                     " by ";
  if (other.operation != launch_check().operation) {
    text +=
        "a kernel or copy in another stream, and nothing orders the two streams: an event or a "
        "synchronising call is missing";
  } else if (other.block != block_->number) {
    text +=
        "a thread of another block, with nothing between them that orders the blocks, which run "
        "at the same time and in any order: an atomic, a __threadfence() before an atomic flag, "
        "or a second launch is missing";
  } else if (other.lane / kWarpSize == worker.current_lane / kWarpSize) {
    text +=
        "another lane of the warp, with nothing between them that orders the two: lanes need not "
        "run in step, so ";
    text += event.where == kInShared ? "a __syncwarp() or __syncthreads() is missing"
                                     : "an atomic access or a __syncwarp() is missing";
  } else {
    text += "another warp, with no barrier between them: ";
    text += event.where == kInShared ? "a __syncthreads() is missing"
                                     : "an atomic access or a __syncthreads() is missing";
  }
  Problem problem{"race", worker.launch->kernel->name, this_lane(event.pc),
                  operation.party(decode_code(code), other.block, other.lane), std::move(text)};
  // Two kinds of accesses that look like races are harmless: all write the same value, and a plain
  // load whose value the compare-and-swap that follows verifies.
  Suspicion suspicion;
  if (event.access == Access::kStore && other_stored && !other_atomic && event.bytes <= 16) {
    suspicion.kind = Suspicion::kSameValue;
    std::memcpy(suspicion.before.data(), reinterpret_cast<void*>(event.address), event.bytes);
  } else if (event.access == Access::kLoad && other_atomic && other_stored) {
    suspicion.kind = Suspicion::kCompareAndSwap;
  }
  if (suspicion.kind == Suspicion::kNone) return add_problem(std::move(problem));
  suspicion.lane = worker.current_lane;
  suspicion.address = event.address;
  suspicion.bytes = event.bytes;
  suspicion.problem = std::move(problem);
  suspicion_ = std::move(suspicion);
}

/// @param next  the next access of any lane; null: there is none before something synchronises.
void Checker::settle(const AccessEvent* next) {
  const Suspicion::Kind kind = std::exchange(suspicion_.kind, Suspicion::kNone);
  if (kind == Suspicion::kNone) return;
  const bool harmless =
      kind == Suspicion::kSameValue
          ? !std::memcmp(suspicion_.before.data(), reinterpret_cast<void*>(suspicion_.address),
                         suspicion_.bytes)
          : next && next->access == Access::kAtomic && next->address == suspicion_.address;
  if (!harmless) add_problem(std::move(suspicion_.problem));
}

}  // namespace cpu_device
