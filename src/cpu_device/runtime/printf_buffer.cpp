#include "printf_buffer.h"

#include <cuda_runtime.h>

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string>

namespace cpu_device {
namespace {

struct Buffer {
  std::mutex mutex;
  std::string text;
  size_t limit = 1 << 20;  // bytes; CUDA's default. The oldest output is lost beyond it.
};

Buffer& buffer() {
  static Buffer once;
  return once;
}

void append(const char* text, size_t size) {
  Buffer& b = buffer();
  std::lock_guard lock(b.mutex);
  b.text.append(text, size);
  if (b.text.size() > 2 * b.limit) b.text.erase(0, b.text.size() - b.limit);
}

/// Arguments that a format asks for: one for each conversion but %%, one for each *.
int arguments_of(const char* format) {
  int count = 0;
  for (const char* at = format; *at; ++at) {
    if (*at != '%') continue;
    if (*++at == '%') continue;
    for (; *at && !std::isalpha(static_cast<unsigned char>(*at)); ++at) count += *at == '*';
    if (!*at) break;
    ++count;
  }
  return count;
}

}  // namespace

void flush_printf() {
  Buffer& b = buffer();
  std::lock_guard lock(b.mutex);
  if (b.text.empty()) return;
  const size_t skip = b.text.size() > b.limit ? b.text.size() - b.limit : 0;
  std::fwrite(b.text.data() + skip, 1, b.text.size() - skip, stdout);
  b.text.clear();
}

void drop_printf() {
  Buffer& b = buffer();
  std::lock_guard lock(b.mutex);
  b.text.clear();
}

size_t printf_limit() {
  return buffer().limit;
}
void set_printf_limit(size_t bytes) {
  buffer().limit = bytes;
}

}  // namespace cpu_device

extern "C" {

/// Returns what CUDA documents: how many arguments the format asks for, -1 without a format.
int cpu_device_vprintf(const char* format, va_list arguments) {
  if (!format) return -1;
  char line[1024];
  va_list again;
  va_copy(again, arguments);
  const int size = std::vsnprintf(line, sizeof line, format, arguments);
  if (size >= static_cast<int>(sizeof line)) {
    std::string large(static_cast<size_t>(size) + 1, '\0');
    std::vsnprintf(large.data(), large.size(), format, again);
    cpu_device::append(large.data(), static_cast<size_t>(size));
  } else if (size > 0) {
    cpu_device::append(line, static_cast<size_t>(size));
  }
  va_end(again);
  return size < 0 ? size : cpu_device::arguments_of(format);
}

int cpu_device_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int parsed = cpu_device_vprintf(format, arguments);
  va_end(arguments);
  return parsed;
}

int cpu_device_puts(const char* text) {
  return cpu_device_printf("%s\n", text);
}
int cpu_device_putchar(int letter) {
  return cpu_device_printf("%c", letter);
}

}  // extern "C"
