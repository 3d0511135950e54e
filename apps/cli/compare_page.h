// The page of a comparison.
#pragma once

#include <tandem/compare/comparison.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tandem::cli {

/// `document` is that of tandem compare; the tensors are the two sets that it
/// is about. Elements beyond what a page bears are left out, their
/// distributions never.
std::string compare_page(const nlohmann::ordered_json& document,
                         const std::vector<compare::NamedTensor>& expected,
                         const std::vector<compare::NamedTensor>& actual,
                         const Criterion& criterion);

}  // namespace tandem::cli
