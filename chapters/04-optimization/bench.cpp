#include "coalesce/bench.hpp"
#include "peers.hpp"
#include "table.hpp"

int main(int argc, char** argv) {
  coalesce::chapter c = chapter04::this_chapter();
  chapter04::add_peers(c);
  return coalesce::bench_main(argc, argv, c);
}
