#include "chapter_test.hpp"
#include "table.hpp"

COALESCE_TEST_EVERY_STEP(chapter06::this_chapter());
