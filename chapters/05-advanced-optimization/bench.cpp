#include "coalesce/bench.hpp"
#include "peers.hpp"
#include "table.hpp"

int main(int argc, char** argv) {
  coalesce::chapter chapter = chapter05::this_chapter();
  chapter05::add_peers(chapter);
  return coalesce::bench_main(argc, argv, chapter);
}
