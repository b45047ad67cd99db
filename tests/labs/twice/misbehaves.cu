// Answers rightly, and then does what the variable MISBEHAVIOUR names.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "lab.hpp"

namespace labtests {
namespace {

__global__ void twice_kernel(const float* in, std::int64_t n, float* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

__global__ void endless_kernel(volatile int* going_on) {
  while (*going_on == 0) {
  }
}

void answer(const float* in, std::int64_t n, float* out) {
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  coalesce::device_buffer<float> d_in(n), d_out(n);
  COALESCE_CHECK(cudaMemcpy(d_in.data(), in, bytes, cudaMemcpyHostToDevice));
  twice_kernel<<<static_cast<unsigned>((n + 63) / 64), 64>>>(d_in.data(), n, d_out.data());
  COALESCE_CHECK(cudaGetLastError());
  COALESCE_CHECK(cudaMemcpy(out, d_out.data(), bytes, cudaMemcpyDeviceToHost));
}

void loop_on_the_host() {
  for (volatile int going_on = 1; going_on;) {
  }
}

void loop_in_a_kernel() {
  coalesce::device_buffer<int> zero(1);
  COALESCE_CHECK(cudaMemset(zero.data(), 0, sizeof(int)));
  endless_kernel<<<1, 1>>>(zero.data());
  COALESCE_CHECK(cudaDeviceSynchronize());
}

void write_through_null() {
  *reinterpret_cast<volatile int*>(std::getenv("NOT_SET")) = 1;
}

int overflow_the_stack(const volatile int* above) {
  const volatile int frame[1024] = {*above + 1};
  return frame[0] + overflow_the_stack(frame) + frame[1];
}

void print(int mebibytes) {
  const std::string line(1 << 10, 'x');
  for (int i = 0; i < mebibytes << 10; ++i) std::puts(line.c_str());
  std::fflush(stdout);
}

/// A daemon as books show it: its own session, two forks, no open files.
void leave_a_daemon() {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  for (int file = 0; file < 64; ++file) close(file);
  sleep(1000);
  _exit(0);
}

void allocate_without_end() {
  for (std::vector<std::vector<char>> kept;;) kept.emplace_back(16 << 20, 'x');
}

void write_a_large_file() {
  const std::string block(1 << 20, 'x');
  for (std::ofstream file("large"); file;) file << block;
}

void write_beside_the_sources() {
  for (const char* name : {"twice.cu", "check.cpp", "lab.toml", "verdict", "report.json"})
    std::ofstream(name) << "mine\n";
}

void leak() {
  void* lost = nullptr;
  COALESCE_CHECK(cudaMalloc(&lost, 4));
}

void leave_at_exit() {
  std::atexit([] { _exit(0); });
  leak();
}

void hide_a_crash() {
  std::signal(SIGSEGV, [](int) { _exit(0); });
  write_through_null();
}

struct leaves_when_destroyed {
  ~leaves_when_destroyed() { _exit(0); }
};

void leave_by_a_destructor() {
  static leaves_when_destroyed last;
  leak();
}

void become_another_program() {
  execl("/bin/true", "true", nullptr);
}

const std::map<std::string, std::function<void()>> misbehaviours = {
    {"loops on the host", loop_on_the_host},
    {"loops in a kernel", loop_in_a_kernel},
    {"loops at exit", [] { std::atexit(loop_on_the_host); }},
    {"writes through null", write_through_null},
    {"aborts", [] { std::abort(); }},
    {"overflows the stack",
     [] {
       const volatile int top = 0;
       std::exit(overflow_the_stack(&top));
     }},
    {"prints megabytes", [] { print(3); }},
    {"prints without end", [] { print(1 << 20); }},
    {"exits", [] { std::exit(0); }},
    {"leaves at once", [] { _exit(0); }},
    {"says passed and exits",
     [] {
       std::puts("All cases are right.\n\xe2\x9c\x93 values: passed");
       std::exit(0);
     }},
    {"leaves a child",
     [] {
       if (fork() == 0) sleep(1000);
     }},
    {"leaves a daemon", leave_a_daemon},
    {"leaves a command", [] { std::exit(std::system("sleep 1000 &")); }},
    {"leaves a thread", [] { std::thread(loop_on_the_host).detach(); }},
    {"writes a large file", write_a_large_file},
    {"writes beside the sources", write_beside_the_sources},
    {"deletes its folder", [] { std::filesystem::remove_all(std::filesystem::current_path()); }},
    {"deletes the folder above",
     [] { std::filesystem::remove_all(std::filesystem::current_path().parent_path()); }},
    {"changes its folder", [] { std::filesystem::current_path("/"); }},
    {"forbids its folder", [] { chmod(".", 0); }},
    {"reads from the terminal", [] { std::cin.get(); }},
    {"throws a number", [] { throw 42; }},
    {"throws nothing", [] { throw; }},
    {"hides a crash", hide_a_crash},
    {"leaves at exit", leave_at_exit},
    {"leaves by a destructor", leave_by_a_destructor},
    {"becomes another program", become_another_program},
    {"closes its output",
     [] {
       for (int file = 0; file < 1024; ++file) close(file);
     }},
    {"ignores what ends it",
     [] {
       for (int number = 1; number < 32; ++number) std::signal(number, SIG_IGN);
       loop_on_the_host();
     }},
    {"allocates without end", allocate_without_end},
};

}  // namespace

void twice(const float* in, std::int64_t n, float* out) {
  static std::vector<float> last;
  const std::string what = std::getenv("MISBEHAVIOUR");
  if (what == "answers as the last time" && !last.empty()) {
    std::memcpy(out, last.data(), n * sizeof(float));
    return;
  }
  answer(in, n, out);
  last.assign(out, out + n);
  if (const auto found = misbehaviours.find(what); found != misbehaviours.end()) found->second();
}

}  // namespace labtests
