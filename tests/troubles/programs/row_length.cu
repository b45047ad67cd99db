// Right and wrong row length: the number of rows in place of the row length hits every element of a square,
// and too few of the others. Sizes are different primes.
// expect: cpu exit 0 /7 x 7: right 49, wrong 49 of 49; 3 x 11: right 33, wrong 17 of 33; 11 x 3: right 33, wrong 9 of 33, 24 outside/
// expect: nvcc exit 0
#include <cstdio>
#include <set>

struct hits {
  int inside, outside;
};

hits count(int rows, int cols, int row_length) {
  std::set<int> seen;
  int outside = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      const int place = row * row_length + col;
      if (place < rows * cols)
        seen.insert(place);
      else
        ++outside;
    }
  return {static_cast<int>(seen.size()), outside};
}

int main() {
  const int shapes[3][2] = {{7, 7}, {3, 11}, {11, 3}};
  bool right = true;
  for (const auto& [rows, cols] : shapes) {
    const hits good = count(rows, cols, cols), bad = count(rows, cols, rows);
    std::printf("%d x %d: right %d, wrong %d of %d", rows, cols, good.inside, bad.inside,
                rows * cols);
    if (bad.outside != 0) std::printf(", %d outside", bad.outside);
    std::printf("; ");
    right = right && good.inside == rows * cols && good.outside == 0;
    right = right && (rows == cols || bad.inside < rows * cols || bad.outside != 0);
  }
  std::puts("");
  return right ? 0 : 1;
}
