// Memory for values: taken from the system once, then used again and again.
#pragma once

#include <cstddef>

namespace tandem {

/// Not initialised. Throws Error where there is none to be had.
void* acquire_memory(std::size_t bytes);

/// Gives back what acquire_memory(bytes) gave.
void release_memory(void* memory, std::size_t bytes) noexcept;

}  // namespace tandem
