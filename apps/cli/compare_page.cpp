#include "compare_page.h"

#include <tandem/compare/distribution.h>

#include <algorithm>

#include "json.h"
#include "page.h"
#include "page_sources.h"

namespace tandem::cli {
namespace {

// About 40 bytes of page an element: 8 MB at most, and no map so large that
// its cells could not be told apart.
constexpr std::size_t elements_of_a_page = 200000;
constexpr std::size_t elements_of_a_map = 50000;

Json ratio_json(const compare::Distribution& distribution) {
  using compare::Distribution;
  Json json = Json::array();
  const auto add = [&](const std::string& label, bool bad) {
    json.push_back({{"label", label},
                    {"count", distribution.ratio.at(json.size())},
                    {"bad", bad}});
  };
  add("0", false);
  for (int decade = Distribution::lowest_decade;
       decade <= Distribution::highest_decade; ++decade) {
    add(decade == 0 ? "1" : "1e" + std::to_string(decade), decade > 0);
  }
  add("more", true);
  return json;
}

Json ulps_json(const compare::Distribution& distribution) {
  Json json = Json::array();
  for (std::size_t digits = 0; digits < distribution.ulps.size(); ++digits) {
    const std::string label = digits == 0  ? "0"
                              : digits < 8 ? std::to_string(1 << (digits - 1))
                                           : "2^" + std::to_string(digits - 1);
    json.push_back({{"label", label}, {"count", distribution.ulps[digits]}});
  }
  return json;
}

Json distribution_json(const compare::Distribution& distribution) {
  return {{"ratio", ratio_json(distribution)},
          {"ulps", ulps_json(distribution)}};
}

const Tensor* tensor_named(const std::vector<compare::NamedTensor>& tensors,
                           const std::string& name) {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(),
                   [&](const auto& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &found->value;
}

}  // namespace

std::string compare_page(const Json& document,
                         const std::vector<compare::NamedTensor>& expected,
                         const std::vector<compare::NamedTensor>& actual,
                         const Criterion& criterion) {
  Json data = document;
  data["elements"] = Json::object();
  compare::Distribution total;
  std::size_t room = elements_of_a_page;
  for (Json& entry : data["comparison"]["tensors"]) {
    const std::string name = entry["name"];
    const Tensor* want = tensor_named(expected, name);
    const Tensor* got = tensor_named(actual, name);
    if (want == nullptr || got == nullptr || !(want->shape() == got->shape())) {
      continue;
    }
    const auto spread = compare::distribution(*want, *got, criterion);
    total += spread;
    entry["distribution"] = distribution_json(spread);
    if (want->size() > std::min(room, elements_of_a_map)) continue;
    room -= want->size();
    data["elements"][name] = {{"expected", tensor(*want)["values"]},
                              {"actual", tensor(*got)["values"]}};
  }
  data["distribution"] = distribution_json(total);
  return make_page("tandem compare", pages::compare_js, data);
}

}  // namespace tandem::cli
