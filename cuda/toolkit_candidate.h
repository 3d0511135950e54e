// One candidate set of toolkit libraries: opened, bound and checked for
// belonging together, or refused with the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cuda/api.h"
#include "cuda/loader.h"
#include "cuda/search.h"
#include "cuda/shared_library.h"

namespace tandem::cuda {

enum class ToolkitSource { already_loaded, system_loader, directory };

struct ToolkitCandidate {
  Place place;
  ToolkitSource source;
};

/// Fills a table from a library. Returns the missing symbols, comma-separated;
/// empty when all were found.
std::string bind(const SharedLibrary& library, DriverTable& table);

/// Nothing if the candidate cannot be used; `attempts` then says why.
std::optional<ToolkitApi> open_toolkit(const ToolkitCandidate& candidate,
                                       int driver_major,
                                       std::vector<Attempt>& attempts);

}  // namespace tandem::cuda
