// Checks lab 5.3: the addition, occupancy(), least_bytes() and best_shape().
#include <vector>

#include "check_add.hpp"
#include "check_choice.hpp"
#include "check_occupancy.hpp"
#include "grading/cases.hpp"

int main(int argc, char** argv) {
  std::vector<coalesce::lab::lab_case> cases;
  lab53::check::add_cases_of_addition(cases);
  lab53::check::add_cases_of_occupancy(cases);
  lab53::check::add_cases_of_choice(cases);
  return coalesce::lab::lab_main(argc, argv, cases);
}
