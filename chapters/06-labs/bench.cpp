#include "coalesce/bench.hpp"
#include "table.hpp"

int main(int argc, char** argv) {
  return coalesce::bench_main(argc, argv, chapter06::this_chapter());
}
