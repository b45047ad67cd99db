#include "cases.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string_view>

#include "coalesce/error.hpp"
#include "coalesce/json.hpp"

namespace coalesce::lab {
namespace {

int list(const std::vector<lab_case>& cases) {
  for (const lab_case& one : cases)
    std::printf("%s\n",
                json_object().add("property", one.property).add("name", one.name).text().c_str());
  return 0;
}

outcome run(const lab_case& one, std::uint64_t seed) {
  try {
    return one.run(seed);
  } catch (const cuda_error& e) {
    return {.reason = "cuda_error", .message = e.what()};
  } catch (const std::exception& e) {
    return {.reason = "exception", .message = e.what()};
  } catch (...) {
    return {.reason = "exception", .message = "it threw something that is no std::exception"};
  }
}

std::string in_json(const outcome& result) {
  json_array counts;
  for (const count_limit& limit : result.counts)
    counts.add(json_object()
                   .add("count", limit.count)
                   .add("least", limit.least)
                   .add("most", limit.most)
                   .add("reason", limit.reason)
                   .add("message", limit.message));
  const json_object head =
      json_object().add("reason", result.reason).add("message", result.message);
  return "{\"outcome\": " + head.text() + ", \"counts\": " + counts.text() + "}\n";
}

}  // namespace

int lab_main(int argc, char** argv, const std::vector<lab_case>& cases) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "list" && argc == 2) return list(cases);
  const std::size_t number = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (verb != "run" || argc != 5 || number >= cases.size()) {
    std::fprintf(stderr, "usage: list | run NUMBER SEED VERDICT\n");
    return 2;
  }
  const outcome result = run(cases[number], std::strtoull(argv[3], nullptr, 10));
  std::ofstream(argv[4]) << in_json(result) << std::flush;
  return 0;
}

}  // namespace coalesce::lab
