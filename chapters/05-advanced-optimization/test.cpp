// Every step of the chapter against its reference. What belongs to one part is in test_<part>.cpp.
#include "chapter_test.hpp"
#include "table.hpp"

COALESCE_TEST_EVERY_STEP(chapter05::this_chapter());
