// TokenId: how every tokenizer and every embedding table counts tokens.
#pragma once

#include <cstddef>

namespace tandem {

/// A token's number, which is also its row in an embedding table: hence the
/// type of an extent rather than a fixed width.
using TokenId = std::size_t;

}  // namespace tandem
