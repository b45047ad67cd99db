/// @file
/// Looks for faults while kernels run (--check): out of bounds in shared memory, reads of what
/// nobody wrote, accesses that nothing orders. Only one OS thread runs blocks then, so that two
/// runs find the same. Order is judged by what synchronises the threads, never by who ran first:
/// a race is found also when the values came out right.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "async_copies.h"
#include "handover.h"
#include "local_arrays.h"
#include "messages.h"
#include "moments.h"
#include "problems.h"
#include "scheduler.h"
#include "shadow.h"
#include "trace.h"

namespace cpu_device {

/// One access as the callbacks see it.
struct AccessEvent {
  Access access;
  bool relaxed;  ///< volatile: may poll what others change, as far as global memory is concerned
  Where where;
  uintptr_t address;
  size_t bytes;
  const void* pc;
  bool overwrites = false;  ///< an atomic that does not build on what was there
};

/// A branch of the source around a barrier, as a lane has come to it (barrier_regions.cpp).
struct Fork {
  const void* region;
  const void* pc;
  uint32_t interval;
};

/// What is known of one block.
struct BlockCheck {
  struct LaneState {
    std::array<uint32_t, 2> moment{};  ///< current numbers, 0: a new one begins
    Fence fence;
    bool fenced = false;                       ///< since the last barrier
    std::shared_ptr<const FenceTable> fences;  ///< of whom it has met since then
    TileOrder tiles;
    Acquired acquired;
    std::vector<Fork> inside, past;  ///< branches whose barriers lie ahead, or were passed by
    AsyncCopies copies;
    LocalArrays locals;
    Seen seen;
    bool fresh() const {
      return !fence.done && !fences && acquired.empty() && inside.empty() && past.empty() &&
             copies.fresh() && locals.fresh() && seen.empty();
    }
  };
  /// knows[where][a][b]: lane a comes after the moments of lane b below this number.
  using WarpKnowledge = std::array<std::array<std::array<uint32_t, 32>, 32>, 2>;

  uint32_t number = 0, interval = 0, grid_epoch = 0;
  std::vector<LaneState> lanes;
  std::vector<uint32_t> warp_epoch;
  std::vector<std::unique_ptr<WarpKnowledge>> knowledge;  ///< per warp, once a part of it met
  Acquired acquired;
  Seen seen;
  bool sends = false;  ///< one of its threads has stored volatile data
  std::shared_ptr<const FenceTable> fenced;
  Moments moments;                              ///< of accesses to shared memory
  std::vector<std::unique_ptr<Shadow>> shared;  ///< as in Checker::regions, each of its own
  std::unordered_map<uintptr_t, SyncVariable> sync_variables;
};

class Checker {
 public:
  void begin(Worker& worker);
  void begin_block(Worker& worker);
  void end_block(Worker& worker);

  /// Called before the access takes place.
  void access(Worker& worker, const AccessEvent& event, Shadow& shadow);
  void fence(Worker& worker);
  /// All live lanes of the block have met at barriers.
  void barrier(Worker& worker);
  /// The lanes `group` of the warp that begins at lane `first` have met.
  void warp_operation(Worker& worker, int first, uint32_t group);
  /// All live lanes of the tile of several warps that begins at lane `first` have met.
  void tile_operation(Worker& worker, int first, int size);
  void grid_barrier();
  /// A branch around a barrier, and the place where its ways meet again.
  void fork(Worker& worker, const void* region, const void* pc);
  void join(Worker& worker, const void* region);
  /// Barrier objects: what a thread did before it arrives is known to whoever waits afterwards.
  void arrive(Worker& worker, const void* object);
  void pass(Worker& worker, const void* object);
  /// Asynchronous copies; null: the thread waits for its batches itself.
  void begin_copy(Worker& worker, const void* barrier);
  void end_copy(Worker& worker);
  void commit_copies(Worker& worker);
  void wait_for_copies(Worker& worker, uint32_t prior);

  /// The shadow of the shared array that holds the access; null: outside of all.
  Shadow* shared_shadow(uintptr_t address, size_t bytes);
  /// Those of the running lane.
  LocalArrays& locals(Worker& worker);
  /// Where an address lies with regard to the shared arrays, as the end of a sentence.
  std::string explain_shared(uintptr_t address) const;

  /// For a parked block; null begins afresh.
  std::unique_ptr<BlockCheck> exchange(std::unique_ptr<BlockCheck> block);

 private:
  struct Region {
    uintptr_t low = 0;
    size_t bytes = 0;
    std::string name;
  };
  /// Something found, kept until it is known whether the access was harmless.
  struct Suspicion {
    enum Kind { kNone, kSameValue, kCompareAndSwap } kind = kNone;
    int lane = 0;
    uintptr_t address = 0;
    size_t bytes = 0;
    std::array<char, 16> before{};
    Problem problem;
  };

  void check_divergence(Worker& worker);
  void check_against_host(Worker& worker, const AccessEvent& event) const;
  Moment present(Worker& worker) const;
  uint32_t moment(Worker& worker, Where where);
  uint32_t copy_moment(Worker& worker, Where where);
  void wait_for_copies_of(Worker& worker, const void* barrier);
  template <class Which>
  void finish_copies(Worker& worker, Which which);
  bool after(Worker& worker, Where where, uint32_t number, const Moment& moment) const;
  void synchronise(Worker& worker, const AccessEvent& event);
  void acquire(Worker& worker, Where where, uintptr_t address);
  void share_fences(int first, int last, uint32_t group);
  SyncVariable& release(Worker& worker, Where where, uintptr_t address);
  std::unordered_map<uintptr_t, SyncVariable>& sync_variables(Where where);
  void note_signal(Worker& worker, const AccessEvent& event);
  void check_message(Worker& worker, const AccessEvent& event, const Cell& cell);
  void check_order(Worker& worker, const AccessEvent& event, Shadow& shadow);
  bool check_readers(Worker& worker, const AccessEvent& event, uint32_t number, uint32_t code,
                     uint32_t lanes);
  void remember_reader(Worker& worker, Where where, Cell& cell, uint32_t number, uint32_t code);
  const Moment* conflict(Worker& worker, Where where, uint32_t number) const;
  void race(Worker& worker, const AccessEvent& event, const Moment& other, uint32_t code,
            bool other_stored);
  void settle(const AccessEvent* next);
  Moments& moments(Where where) const;

  std::unique_ptr<BlockCheck> block_;
  std::vector<Region> regions_;  // the launch's static shared arrays, the dynamic one last
  Suspicion suspicion_;
};

/// A launch begins or ends; between them only its blocks run.
void begin_launch_check(const Launch& launch);
void end_launch_check(const Launch& launch);

}  // namespace cpu_device
