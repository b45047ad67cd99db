#include "chapter_test.hpp"
#include "steps.hpp"

COALESCE_TEST_EVERY_STEP(chapter03::this_chapter());
