#include "coalesce/bench.hpp"
#include "table.hpp"

int main(int argc, char** argv) {
  return coalesce::bench_main(argc, argv, chapter04::this_chapter());
}
