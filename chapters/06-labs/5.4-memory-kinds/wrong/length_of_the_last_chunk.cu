// Wrong: the last chunk is taken to be as long as the others, and the host memory has room for it.
// in place of: pipeline.cu
// reject: pipeline too_many_words
#include <algorithm>

#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {

// [make]
pipeline::pipeline(std::int64_t n, int chunks) : n_(n), chunk_(coalesce::ceil_div(n, chunks)) {
  // [answer]
  if (n == 0) return;
  for (int set = 0; set < sets; ++set) {
    streams_.emplace_back(coalesce::stream_kind::independent);
    d_in_.emplace_back(chunk_);
    d_out_.emplace_back(chunk_);
  }
  marks_ = std::vector<marks>(coalesce::ceil_div(n, chunk_));
  const std::size_t bytes = marks_.size() * chunk_ * sizeof(word);
  COALESCE_CHECK(cudaHostAlloc(&in_, bytes, cudaHostAllocDefault));
  const cudaError_t refused = cudaHostAlloc(&out_, bytes, cudaHostAllocDefault);
  if (refused != cudaSuccess) cudaFreeHost(in_);
  COALESCE_CHECK(refused);
  // [/answer]
}

pipeline::~pipeline() {
  // [answer]
  coalesce::report_failure(cudaFreeHost(in_), "cudaFreeHost(in_)");
  coalesce::report_failure(cudaFreeHost(out_), "cudaFreeHost(out_)");
  // [/answer]
}
// [/make]

// [run]
void pipeline::run(const chunk_work& work) {
  // [answer]
  for (std::int64_t k = 0; k * chunk_ < n_; ++k) {
    const std::int64_t first = k * chunk_, length = chunk_;
    const std::int64_t set = k % sets;
    const cudaStream_t stream = streams_[set];
    if (k == 0) begin_.record(stream);
    marks_[k].before_in.record(stream);
    COALESCE_CHECK(cudaMemcpyAsync(d_in_[set].data(), in_ + first, length * sizeof(word),
                                   cudaMemcpyHostToDevice, stream));
    marks_[k].after_in.record(stream);
    work(d_in_[set].data(), d_out_[set].data(), length, stream);
    marks_[k].after_work.record(stream);
    COALESCE_CHECK(cudaMemcpyAsync(out_ + first, d_out_[set].data(), length * sizeof(word),
                                   cudaMemcpyDeviceToHost, stream));
    marks_[k].after_out.record(stream);
  }
  for (const coalesce::stream& stream : streams_) stream.synchronize();
  // [/answer]
}
// [/run]

// [timeline]
std::vector<span_of_time> pipeline::timeline() const {
  std::vector<span_of_time> spans;
  // [answer]
  for (int k = 0; k < static_cast<int>(marks_.size()); ++k) {
    const marks& m = marks_[k];
    const double in = coalesce::seconds_between(begin_, m.before_in),
                 work = coalesce::seconds_between(begin_, m.after_in),
                 out = coalesce::seconds_between(begin_, m.after_work),
                 end = coalesce::seconds_between(begin_, m.after_out);
    spans.push_back({k, part::copy_in, in, work});
    spans.push_back({k, part::compute, work, out});
    spans.push_back({k, part::copy_out, out, end});
  }
  // [/answer]
  return spans;
}
// [/timeline]

}  // namespace lab54
