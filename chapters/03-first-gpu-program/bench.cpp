#include "coalesce/bench.hpp"
#include "steps.hpp"

int main(int argc, char** argv) {
  return coalesce::bench_main(argc, argv, chapter03::this_chapter());
}
