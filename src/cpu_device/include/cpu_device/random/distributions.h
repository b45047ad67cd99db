/// @file
/// Uniform, normal, log-normal and Poisson numbers from any of the generators.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_RANDOM __device__ inline

// Uniform: in (0, 1], from 32 or 53 random bits.
CPU_DEVICE_RANDOM float cpu_device_uniform(unsigned int x) {
  return static_cast<float>(x) * 0x1p-32f + 0x1p-33f;
}
CPU_DEVICE_RANDOM double cpu_device_uniform(unsigned int x, unsigned int y) {
  return static_cast<double>(x ^ (static_cast<unsigned long long>(y) << 21)) * 0x1p-53 + 0x1p-54;
}
template <class State>
CPU_DEVICE_RANDOM float curand_uniform(State* state) {
  return cpu_device_uniform(curand(state));
}
template <class State>
CPU_DEVICE_RANDOM double curand_uniform_double(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  return cpu_device_uniform(x, y);
}
/// Only 32 random bits, as cuRAND says.
CPU_DEVICE_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return static_cast<double>(curand(state)) * 0x1p-32 + 0x1p-32;
}
CPU_DEVICE_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return cpu_device_mrg32k3a(state) * 2.3283065498378288e-10;
}
CPU_DEVICE_RANDOM float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(curand_uniform_double(state));
}
CPU_DEVICE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return float4{cpu_device_uniform(x.x), cpu_device_uniform(x.y), cpu_device_uniform(x.z),
                cpu_device_uniform(x.w)};
}
CPU_DEVICE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return double2{cpu_device_uniform(x.x, x.y), cpu_device_uniform(x.z, x.w)};
}
CPU_DEVICE_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

// Normal, in pairs (Box and Muller): a radius from one uniform number, a direction from another.
CPU_DEVICE_RANDOM float2 cpu_device_normals(float u, float angle) {
  const float radius = sqrtf(-2.0f * logf(u));
  return float2{sinf(angle) * radius, cosf(angle) * radius};
}
/// @param turns  the direction in half turns.
CPU_DEVICE_RANDOM double2 cpu_device_normals_double(double u, double turns) {
  const double radius = ::sqrt(-2.0 * ::log(u));
  return double2{sinpi(turns) * radius, cospi(turns) * radius};
}
CPU_DEVICE_RANDOM float2 cpu_device_normals(unsigned int x, unsigned int y) {
  constexpr float step = 0x1p-32f * 6.2831855f;
  return cpu_device_normals(cpu_device_uniform(x), static_cast<float>(y) * step + step / 2);
}
CPU_DEVICE_RANDOM double2 cpu_device_normals_double(uint4 x) {
  return cpu_device_normals_double(cpu_device_uniform(x.x, x.y),
                                   2.0 * cpu_device_uniform(x.z, x.w));
}
template <class State>
CPU_DEVICE_RANDOM float2 curand_normal2(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  return cpu_device_normals(x, y);
}
template <class State>
CPU_DEVICE_RANDOM double2 curand_normal2_double(State* state) {
  uint4 x;
  x.x = curand(state);
  x.y = curand(state);
  x.z = curand(state);
  x.w = curand(state);
  return cpu_device_normals_double(x);
}
CPU_DEVICE_RANDOM float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const float u = curand_uniform(state), v = curand_uniform(state);
  return cpu_device_normals(u, v * 6.2831855f);
}
CPU_DEVICE_RANDOM double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  const double u = curand_uniform_double(state), v = curand_uniform_double(state);
  return cpu_device_normals_double(u, 2.0 * v);
}
CPU_DEVICE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = cpu_device_normals(x.x, x.y), b = cpu_device_normals(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
CPU_DEVICE_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = cpu_device_normals_double(curand4(state));
  const double2 b = cpu_device_normals_double(curand4(state));
  return double4{a.x, a.y, b.x, b.y};
}
template <class State>
CPU_DEVICE_RANDOM float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return float2{expf(mean + deviation * pair.x), expf(mean + deviation * pair.y)};
}
template <class State>
CPU_DEVICE_RANDOM double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return double2{::exp(mean + deviation * pair.x), ::exp(mean + deviation * pair.y)};
}

/// One of a pair; the other is kept for the next call that wants the same kind.
template <class Spare, class Pair>
CPU_DEVICE_RANDOM auto cpu_device_one_of(cpu_device_spare_kind kind, cpu_device_spare_kind* kept,
                                         Spare* spare, Pair draw) {
  const bool have = *kept == kind;
  *kept = have ? cpu_device_no_spare : kind;
  if (have) return *spare;
  const auto pair = draw();
  *spare = pair.y;
  return pair.x;
}
template <class State>
CPU_DEVICE_RANDOM float curand_normal(State* state) {
  return cpu_device_one_of(cpu_device_spare_normal, &state->normals.kept, &state->normals.spare,
                           [=] { return curand_normal2(state); });
}
template <class State>
CPU_DEVICE_RANDOM double curand_normal_double(State* state) {
  return cpu_device_one_of(cpu_device_spare_normal, &state->normals.kept_double,
                           &state->normals.spare_double,
                           [=] { return curand_normal2_double(state); });
}
template <class State>
CPU_DEVICE_RANDOM float curand_log_normal(State* state, float mean, float deviation) {
  return cpu_device_one_of(cpu_device_spare_log_normal, &state->normals.kept, &state->normals.spare,
                           [=] { return curand_log_normal2(state, mean, deviation); });
}
template <class State>
CPU_DEVICE_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) {
  return cpu_device_one_of(cpu_device_spare_log_normal, &state->normals.kept_double,
                           &state->normals.spare_double,
                           [=] { return curand_log_normal2_double(state, mean, deviation); });
}

/// Counts how many uniform numbers it takes until their product falls below exp(-mean); a large
/// mean is a sum of smaller ones. (cuRAND uses other methods for large means.)
template <class State>
CPU_DEVICE_RANDOM unsigned int curand_poisson(State* state, double mean) {
  unsigned int count = 0;
  while (mean > 0) {
    const double part = mean < 64 ? mean : 64;
    mean -= part;
    double product = ::exp(part);
    while ((product *= curand_uniform_double(state)) > 1.0) ++count;
  }
  return count;
}
#undef CPU_DEVICE_RANDOM
