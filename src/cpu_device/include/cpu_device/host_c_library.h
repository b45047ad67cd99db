/// @file
/// <stdio.h>, <stdlib.h> and <string.h> are the host's, but for the functions declared below. The
/// headers would declare those as the host's too, so they declare others meanwhile.
#pragma once
#pragma GCC system_header

#define abs cpu_device_hidden_abs
#define labs cpu_device_hidden_labs
#define llabs cpu_device_hidden_llabs
#define malloc cpu_device_hidden_malloc
#define free cpu_device_hidden_free
#define memcpy cpu_device_hidden_memcpy
#define memset cpu_device_hidden_memset
#define printf cpu_device_hidden_printf
#define vprintf cpu_device_hidden_vprintf
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#undef abs
#undef labs
#undef llabs
#undef malloc
#undef free
#undef memcpy
#undef memset
#undef printf
#undef vprintf

#pragma clang force_cuda_host_device begin
extern "C" {
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
void* malloc(size_t) noexcept;
void free(void*) noexcept;
void* memcpy(void* __restrict, const void* __restrict, size_t) noexcept;
void* memset(void*, int, size_t) noexcept;
int printf(const char* __restrict, ...);
int vprintf(const char* __restrict, __builtin_va_list);
}
#pragma clang force_cuda_host_device end
