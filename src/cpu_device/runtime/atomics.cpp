/// @file
/// Atomic functions. Failed exchanges of a lock let the other lanes run, since a spinning lane
/// would otherwise keep its OS thread for ever.
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "instrumentation.h"
#include "scheduler.h"

namespace {

/// Repeats `next(old)` until nobody came in between; returns the old value.
template <class T, class Next>
T update(T* address, Next next) {
  T old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, next(old), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

/// The same for floating point, by way of an integer of the same size.
template <class Bits, class T>
T add_floating(T* address, T value) {
  static_assert(sizeof(Bits) == sizeof(T));
  Bits* place = reinterpret_cast<Bits*>(address);
  T before;
  const Bits old = update(place, [&](Bits bits) {
    std::memcpy(&before, &bits, sizeof before);
    const T sum = before + value;
    Bits result;
    std::memcpy(&result, &sum, sizeof result);
    return result;
  });
  std::memcpy(&before, &old, sizeof before);
  return before;
}

template <class T>
T exchange(T* address, T value) {
  const T old = __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
  if (old == value) cpu_device::Worker::current()->yield();  // a lock that was taken already
  return old;
}

template <class T>
T compare_and_swap(T* address, T compare, T value) {
  if (!__atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST)) {
    cpu_device::Worker::current()->yield();
  }
  return compare;
}

}  // namespace

#define SEEN(address) cpu_device::on_atomic(address, sizeof *(address), __builtin_return_address(0))
#define OVERWRITTEN(address) \
  cpu_device::on_atomic(address, sizeof *(address), __builtin_return_address(0), true)

/// Sums wrap around, also signed ones.
template <class T>
std::make_unsigned_t<T> wrap(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}

/// Applies `next`; an atomic that changes nothing may be the poll of a spinning lane.
template <class T, class Next>
T integer(T* address, Next next) {
  const T old = update(address, next);
  if (next(old) == old) cpu_device::Worker::current()->poll();
  return old;
}

#define INTEGER_OPERATION(Name, Type, expression)                                     \
  Type Name(Type* address, Type value) {                                              \
    SEEN(address);                                                                    \
    return integer(address, [=](Type old) { return static_cast<Type>(expression); }); \
  }
#define INTEGER(Type)                                           \
  INTEGER_OPERATION(atomicAdd, Type, wrap(old) + wrap(value))   \
  INTEGER_OPERATION(atomicSub, Type, wrap(old) - wrap(value))   \
  INTEGER_OPERATION(atomicAnd, Type, old& value)                \
  INTEGER_OPERATION(atomicOr, Type, old | value)                \
  INTEGER_OPERATION(atomicXor, Type, old ^ value)               \
  INTEGER_OPERATION(atomicMin, Type, value < old ? value : old) \
  INTEGER_OPERATION(atomicMax, Type, value > old ? value : old) \
  Type atomicExch(Type* address, Type value) {                  \
    OVERWRITTEN(address);                                       \
    return exchange(address, value);                            \
  }

INTEGER(int)
INTEGER(unsigned int)
INTEGER(long long)
INTEGER(unsigned long long)

#define COMPARE_AND_SWAP(Type)                              \
  Type atomicCAS(Type* address, Type compare, Type value) { \
    SEEN(address);                                          \
    return compare_and_swap(address, compare, value);       \
  }
COMPARE_AND_SWAP(int)
COMPARE_AND_SWAP(unsigned int)
COMPARE_AND_SWAP(unsigned long long)
COMPARE_AND_SWAP(unsigned short)

float atomicAdd(float* address, float value) {
  SEEN(address);
  return add_floating<unsigned int>(address, value);
}

double atomicAdd(double* address, double value) {
  SEEN(address);
  return add_floating<unsigned long long>(address, value);
}

// Vectors: each component is added by itself, as the hardware promises no more.
float2 atomicAdd(float2* address, float2 value) {
  SEEN(address);
  return {add_floating<unsigned int>(&address->x, value.x),
          add_floating<unsigned int>(&address->y, value.y)};
}

float4 atomicAdd(float4* address, float4 value) {
  SEEN(address);
  return {add_floating<unsigned int>(&address->x, value.x),
          add_floating<unsigned int>(&address->y, value.y),
          add_floating<unsigned int>(&address->z, value.z),
          add_floating<unsigned int>(&address->w, value.w)};
}

float atomicExch(float* address, float value) {
  OVERWRITTEN(address);
  unsigned int bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = __atomic_exchange_n(reinterpret_cast<unsigned int*>(address), bits, __ATOMIC_SEQ_CST);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

unsigned int atomicInc(unsigned int* address, unsigned int limit) {
  SEEN(address);
  return update(address, [=](unsigned int old) { return old >= limit ? 0u : old + 1; });
}

unsigned int atomicDec(unsigned int* address, unsigned int limit) {
  SEEN(address);
  return update(address,
                [=](unsigned int old) { return old == 0 || old > limit ? limit : old - 1; });
}

// ---- cuda::atomic: any type, by its bits

namespace {

/// What include/cuda/atomic calls them.
enum Operation { kLoad, kStore, kExchange, kCompare, kAdd, kSub, kAnd, kOr, kXor, kMin, kMax };

template <class T>
T arithmetic(int operation, T old, T operand) {
  switch (operation) {
    case kAdd:
      return static_cast<T>(old + operand);
    case kSub:
      return static_cast<T>(old - operand);
    case kMin:
      return operand < old ? operand : old;
    case kMax:
      return old < operand ? operand : old;
    default:
      return operand;
  }
}

template <class Bits>
Bits bitwise(int operation, Bits old, Bits operand) {
  return static_cast<Bits>(operation == kAnd  ? old & operand
                           : operation == kOr ? old | operand
                                              : old ^ operand);
}

template <class T, class Bits>
Bits as_type(int operation, Bits old, Bits operand) {
  T a, b;
  std::memcpy(&a, &old, sizeof a);
  std::memcpy(&b, &operand, sizeof b);
  const T result = arithmetic(operation, a, b);
  Bits bits;
  std::memcpy(&bits, &result, sizeof bits);
  return bits;
}

/// @tparam Real  the floating-point type of that size.
template <class Bits, class Real>
unsigned long long any(Bits* address, int kind, int operation, Bits operand, Bits compare) {
  if (operation == kLoad) return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  if (operation == kCompare) return compare_and_swap(address, compare, operand);
  if (operation == kExchange) return exchange(address, operand);
  const Bits old = update(address, [=](Bits before) -> Bits {
    if (operation >= kAnd && operation <= kXor) return bitwise(operation, before, operand);
    if (operation == kStore) return operand;
    if (kind == 2) return as_type<Real>(operation, before, operand);
    if (kind == 1) {
      using Signed = std::make_signed_t<Bits>;
      if (operation == kMin || operation == kMax)
        return as_type<Signed>(operation, before, operand);
    }
    return arithmetic(operation, before, operand);
  });
  return old;
}

}  // namespace

extern "C" unsigned long long cpu_device_atomic(void* address, int bytes, int kind, int operation,
                                                unsigned long long operand,
                                                unsigned long long compare) {
  // Others run before the access is noted: it is ordered after what they have done by then.
  if (operation == kLoad) cpu_device::Worker::current()->poll();
  cpu_device::on_atomic(address, static_cast<size_t>(bytes), __builtin_return_address(0),
                        operation == kStore || operation == kExchange);
  switch (bytes) {
    case 1:
      return any<unsigned char, signed char>(static_cast<unsigned char*>(address), kind, operation,
                                             static_cast<unsigned char>(operand),
                                             static_cast<unsigned char>(compare));
    case 2:
      return any<unsigned short, short>(static_cast<unsigned short*>(address), kind, operation,
                                        static_cast<unsigned short>(operand),
                                        static_cast<unsigned short>(compare));
    case 4:
      return any<unsigned int, float>(static_cast<unsigned int*>(address), kind, operation,
                                      static_cast<unsigned int>(operand),
                                      static_cast<unsigned int>(compare));
    default:
      return any<unsigned long long, double>(static_cast<unsigned long long*>(address), kind,
                                             operation, operand, compare);
  }
}
