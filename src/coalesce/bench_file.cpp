#include "coalesce/bench_file.hpp"

#include <stdexcept>

namespace coalesce {

bench_file::bench_file(const std::string& path, const std::vector<std::string>& kept)
    : path_(path), file_(path) {
  for (const std::string& line : kept) file_ << line << '\n';
  file_ << std::flush;
  require_good();
}

void bench_file::write(const json_object& line) {
  file_ << line.text() << '\n' << std::flush;
  require_good();
}

void bench_file::require_good() const {
  if (!file_) throw std::runtime_error("cannot write " + path_);
}

earlier_run read_earlier(const std::string& path, const std::string& fingerprint) {
  earlier_run found;
  std::ifstream file(path);
  std::vector<std::string> pending;
  bool same = false;
  for (std::string line; std::getline(file, line);) {
    same = same || line == fingerprint;
    pending.push_back(line);
    const bool done = line.starts_with(R"({"type": "done")");
    if (!done && line != fingerprint) continue;
    found.lines.insert(found.lines.end(), pending.begin(), pending.end());
    pending.clear();
    if (done) found.done.push_back(line);
  }
  return same ? found : earlier_run{};
}

}  // namespace coalesce
