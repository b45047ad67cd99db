#pragma once

#include <vector>

#include "grading/cases.hpp"

/// The check of lab 5.3, a file for each of the reader's.
namespace lab53::check {

void add_cases_of_addition(std::vector<coalesce::lab::lab_case>& cases);
void add_cases_of_occupancy(std::vector<coalesce::lab::lab_case>& cases);
void add_cases_of_choice(std::vector<coalesce::lab::lab_case>& cases);

}  // namespace lab53::check
