#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "coalesce/json.hpp"

/// \addtogroup bench
/// @{

namespace coalesce {

/// A benchmark's raw file: one JSON object a line, each flushed as it is written.
class bench_file {
 public:
  /// Begins a file.
  /// \param path of the file; what it held is lost
  /// \param kept lines of an interrupted run that stand at its head
  /// \throws std::runtime_error when it cannot be written
  bench_file(const std::string& path, const std::vector<std::string>& kept);

  /// Adds a line. \throws std::runtime_error when it cannot be written
  void write(const json_object& line);

 private:
  void require_good() const;
  std::string path_;
  std::ofstream file_;
};

/// What an interrupted run left behind: whole parts only.
struct earlier_run {
  std::vector<std::string> lines;  ///< its head and its finished parts
  std::vector<std::string> done;   ///< the last line of each finished part, of type `done`
};

/// Reads a raw file up to the end of its last finished part.
/// \param path        of the file; one that is not there is an empty one
/// \param fingerprint line of the head by which a run knows its own kind
/// \return nothing when no line is `fingerprint`: the run was of another program or other options
earlier_run read_earlier(const std::string& path, const std::string& fingerprint);

}  // namespace coalesce

/// @}
