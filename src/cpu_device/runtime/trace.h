/// @file
/// Counts memory requests as a GPU's load/store unit would see them.
///
/// Every lane keeps a log of its accesses and basic blocks. The 32 logs of a warp are replayed in
/// lockstep: always the lanes in the deepest call, and among these the ones with the lowest
/// program counter, go on together. So lanes that took different branches meet again where the
/// code meets, and the lanes that make an access together form one request. Logs are bounded: a
/// lane whose log is full waits until its warp has been replayed as far as all logs reach.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace cpu_device {

class Worker;
struct Launch;
struct WarpAddresses;

enum class Access : uint8_t { kLoad, kStore, kAtomic, kBlock };
enum class Space : uint8_t { kOther, kGlobal, kShared };

/// Totals of one instruction (or, in the report, of one source line).
struct Counts {
  uint64_t requests = 0;      ///< warp-wide accesses
  uint64_t sectors = 0;       ///< 32-byte pieces of global memory they touch
  uint64_t wavefronts = 0;    ///< passes through the banks of shared memory
  uint64_t conflicts = 0;     ///< wavefronts beyond the ones needed
  uint64_t active_lanes = 0;  ///< lanes that took part, summed over requests
  uint64_t divergent = 0;     ///< requests made by only a part of the warp's live lanes
};

struct Instruction {
  uintptr_t pc = 0;
  Access access = Access::kLoad;
  Space space = Space::kOther;
  uint16_t bytes = 0;
  bool operator==(const Instruction&) const = default;
};

struct InstructionHash {
  size_t operator()(const Instruction& i) const {
    return (i.pc << 3) ^ (i.bytes << 1) ^ (static_cast<size_t>(i.access) << 61) ^
           (static_cast<size_t>(i.space) << 59);
  }
};

/// One request with its addresses (CPU_DEVICE_REQUESTS).
struct Example {
  Instruction instruction;
  int warp = 0;
  uint32_t lanes = 0;      ///< bits of those that took part
  std::string array;       ///< the name of a shared array; empty: global memory
  size_t array_bytes = 0;  ///< size of the array or allocation of the first lane's address
  std::array<int64_t, 32> offset{};  ///< of each lane, in bytes from its beginning
};

using CountTable = std::unordered_map<Instruction, Counts, InstructionHash>;

/// Is a report wanted, and does the program hold instrumented code?
bool tracing();
/// Instrumented code says so at program start.
void set_instrumented();
bool instrumented();

/// The launch's counts begin and end; between them each worker hands in its own.
void begin_trace(const Launch& launch);
void end_trace();

/// The logs and counts of one worker.
class Trace {
 public:
  struct Event {
    uint64_t place;  ///< the smallest goes on first: that of the deepest call, then the lowest pc
    uintptr_t address;
    uint16_t bytes;
    Access access;
    Space space;
    /// Can it be a part of the same request?
    bool joins(const Event& other) const {
      return place == other.place && bytes == other.bytes && access == other.access &&
             space == other.space;
    }
  };
  struct Log {
    std::vector<Event> events = std::vector<Event>(8);  ///< as many as there is room for
    size_t size = 0;                                    ///< of those that are not replayed yet
    uint16_t depth = 0;                                 ///< calls around what the lane does now
    bool full = false;
  };

  /// What belongs to one block: kept while another block runs.
  using BlockState = std::vector<Log>;

  void begin(int lane_count);
  /// Logs what a lane does next. Returns whether make_room() must follow.
  bool append(int lane, Access access, Space space, uintptr_t address, size_t bytes,
              const void* pc) {
    Log& log = logs_[static_cast<size_t>(lane)];
    Event& event = log.events[log.size++];
    event = {uint64_t{0xffffu - log.depth} << 48 | reinterpret_cast<uintptr_t>(pc), address,
             static_cast<uint16_t>(bytes), access, space};
    return &event == &log.events.back();
  }
  /// Makes room for another event of the running lane; may let other lanes run first.
  void make_room(Worker& worker);
  void enter_function(int lane) { ++logs_[static_cast<size_t>(lane)].depth; }
  void leave_function(int lane) { --logs_[static_cast<size_t>(lane)].depth; }

  /// Replays the warp that begins at lane `base`. Returns whether a lane waits only because its
  /// log was full.
  bool replay(Worker& worker, int base);
  /// Exchanges the logs for those of another block; an empty state is a block's beginning.
  void exchange(BlockState& other, int lane_count);
  /// Forgets the logs of a block that failed.
  void discard();
  /// Adds the counts to the launch's.
  void hand_in();

 private:
  void request(Worker& worker, int base, const Event& leader, const WarpAddresses& addresses,
               int live);
  void keep_example(Worker& worker, int base, const Instruction& instruction,
                    const WarpAddresses& addresses);

  BlockState logs_;
  CountTable counts_;
  std::vector<Example> examples_;
  std::unordered_map<Instruction, uint64_t, InstructionHash> kept_;  ///< of them, per instruction
};

}  // namespace cpu_device
