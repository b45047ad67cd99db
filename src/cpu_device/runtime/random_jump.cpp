/// @file
/// Jumps in the sequences of XORWOW and MRG32k3a. One step of either is linear, so a jump of n
/// steps is the n-th power of a step: of a polynomial over the field of two elements for the
/// first, of a 3 x 3 matrix for the second. Powers come from repeated squaring.
#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

namespace {

// ---- XORWOW: 160 bits of state

constexpr int kBits = 160;
using Words = std::array<uint32_t, 5>;
using Polynomial = std::bitset<kBits>;  ///< bit i: the coefficient of x^i

void step(Words& v) {
  const uint32_t t = v[0] ^ (v[0] >> 2), last = v[4];
  for (size_t i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = (last ^ (last << 4)) ^ (t ^ (t << 1));
}

/// The polynomial that the steps satisfy, without its leading x^160, found from the sequence of
/// one bit by the algorithm of Berlekamp and Massey.
Polynomial find_relation() {
  Words v{1, 2, 3, 4, 5};
  std::vector<bool> sequence;
  for (int i = 0; i < 2 * kBits; ++i) {
    sequence.push_back(v[0] & 1);
    step(v);
  }
  using Long = std::bitset<2 * kBits + 1>;
  Long current, previous;  // bit i: the weight of the bit i places before
  current[0] = previous[0] = true;
  int length = 0, since = 1;
  for (int n = 0; n < 2 * kBits; ++n) {
    bool wrong = false;
    for (int i = 0; i <= length; ++i) {
      wrong ^= current[static_cast<size_t>(i)] && sequence[static_cast<size_t>(n - i)];
    }
    if (!wrong) {
      ++since;
      continue;
    }
    const Long before = current;
    current ^= previous << static_cast<size_t>(since);
    if (2 * length > n) {
      ++since;
      continue;
    }
    length = n + 1 - length;
    previous = before;
    since = 1;
  }
  Polynomial relation;
  for (size_t i = 0; i < kBits; ++i) relation[i] = current[kBits - i];
  return relation;
}

Polynomial times(const Polynomial& a, const Polynomial& b) {
  static const Polynomial relation = find_relation();
  Polynomial product;
  for (int i = kBits - 1; i >= 0; --i) {
    const bool overflow = product[kBits - 1];
    product <<= 1;
    if (overflow) product ^= relation;
    if (b[static_cast<size_t>(i)]) product ^= a;
  }
  return product;
}

/// x^(2^i) for every i that a jump can need.
const std::vector<Polynomial>& squares() {
  static const std::vector<Polynomial> all = [] {
    std::vector<Polynomial> powers{Polynomial(2)};  // x itself
    while (powers.size() < 64 + 67) powers.push_back(times(powers.back(), powers.back()));
    return powers;
  }();
  return all;
}

// ---- MRG32k3a: two recurrences of three values

using Matrix = std::array<std::array<uint64_t, 3>, 3>;
struct Part {
  uint64_t modulus;
  Matrix step;
};
constexpr Part kParts[] = {
    {4294967087u, {{{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728u, 1403580u, 0}}}},
    {4294944443u, {{{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589u, 0, 527612u}}}},
};

Matrix times(const Matrix& a, const Matrix& b, uint64_t modulus) {
  Matrix product{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      for (size_t k = 0; k < 3; ++k) {
        product[i][j] += a[i][k] * b[k][j] % modulus;
      }
      product[i][j] %= modulus;
    }
  }
  return product;
}

/// The 2^i-th powers of a part's step.
const std::vector<Matrix>& powers_of(size_t part) {
  static const std::array<std::vector<Matrix>, 2> all = [] {
    std::array<std::vector<Matrix>, 2> powers;
    for (size_t i = 0; i < 2; ++i) {
      powers[i].push_back(kParts[i].step);
      while (powers[i].size() < 64 + 127) {
        powers[i].push_back(times(powers[i].back(), powers[i].back(), kParts[i].modulus));
      }
    }
    return powers;
  }();
  return all[part];
}

void jump(size_t part, unsigned int* state, unsigned long long n, int power) {
  for (auto i = static_cast<size_t>(power); n; ++i, n >>= 1) {
    if (!(n & 1)) continue;
    const Matrix& matrix = powers_of(part)[i];
    std::array<uint64_t, 3> moved{};
    for (size_t row = 0; row < 3; ++row) {
      for (size_t k = 0; k < 3; ++k) {
        moved[row] += matrix[row][k] * state[k] % kParts[part].modulus;
      }
    }
    for (size_t row = 0; row < 3; ++row) {
      state[row] = static_cast<unsigned int>(moved[row] % kParts[part].modulus);
    }
  }
}

}  // namespace

extern "C" {

void cpu_device_xorwow_jump(unsigned int* words, unsigned long long n, int power) {
  Polynomial jump(1);
  for (auto i = static_cast<size_t>(power); n; ++i, n >>= 1) {
    if (n & 1) jump = times(jump, squares()[i]);
  }
  Words v, sum{};
  for (size_t i = 0; i < 5; ++i) v[i] = words[i];
  for (size_t i = 0; i < kBits; ++i) {  // the sum of the states that the jump names
    for (size_t k = 0; k < 5 && jump[i]; ++k) sum[k] ^= v[k];
    step(v);
  }
  for (size_t i = 0; i < 5; ++i) words[i] = sum[i];
}

void cpu_device_mrg32k3a_jump(unsigned int* first, unsigned int* second, unsigned long long n,
                              int power) {
  jump(0, first, n, power);
  jump(1, second, n, power);
}

}  // extern "C"
