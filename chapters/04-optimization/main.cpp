#include "table.hpp"

int main(int argc, char** argv) {
  return coalesce::chapter_main(argc, argv, chapter04::this_chapter());
}
