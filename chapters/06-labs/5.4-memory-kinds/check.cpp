// Checks lab 5.4, a header for each kind of memory; what they share is in check_support.hpp.
#include "check_constant.hpp"
#include "check_host.hpp"
#include "check_on_chip.hpp"
#include "check_pipeline.hpp"
#include "check_texture.hpp"
#include "check_unified.hpp"

int main(int argc, char** argv) {
  std::vector<coalesce::lab::lab_case> cases;
  using namespace lab54::checks;
  add_constant(cases);
  add_texture(cases);
  add_host(cases);
  add_pipeline(cases);
  add_unified(cases);
  add_on_chip(cases);
  return coalesce::lab::lab_main(argc, argv, cases);
}
