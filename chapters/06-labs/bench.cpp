#include "coalesce/bench.hpp"
#include "peers.hpp"
#include "table.hpp"

int main(int argc, char** argv) {
  coalesce::chapter chapter = chapter06::this_chapter();
  chapter06::add_peers(chapter);
  return coalesce::bench_main(argc, argv, chapter);
}
