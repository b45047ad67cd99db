#include "table.hpp"

int main(int argc, char** argv) {
  return coalesce::chapter_main(argc, argv, chapter06::this_chapter());
}
