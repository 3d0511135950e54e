#include "nn/model_weights.h"

#include <tandem/tensor/error.h>

#include <algorithm>

#include "autograd/finite.h"
#include "nn/elements.h"
#include "nn/llama_layout.h"

namespace tandem::nn {
namespace {

const char* const head = "lm_head.weight";
const char* const table = "model.embed_tokens.weight";

// The angles of old checkpoints follow from the configuration.
bool is_derived(const std::string& name) {
  return name.ends_with(".rotary_emb.inv_freq");
}

// A value that no parameter may have is the file's fault.
Tensor read_finite(const Safetensors& file, const std::string& name,
                   const std::string& path) {
  const Tensor stored = file.tensor(name);
  if (const auto index = autograd::first_nonfinite(stored)) {
    const NonfiniteError fault("model", *index, stored.values()[*index], name);
    throw FileError(fault.what() + (", in " + path));
  }
  return stored;
}

}  // namespace

ModelWeights::ModelWeights(const std::filesystem::path& path,
                           const DecoderConfig& config)
    : path_(path),
      head_width_(config.head_width),
      file_(Safetensors::open(path)) {}

autograd::ValueReader ModelWeights::reader(const std::string& parameter,
                                           const Shape& shape) {
  const WeightPlace place = place_of(parameter);
  if (!file_.contains(place.name)) reject("missing tensor", place.name);
  const Shape& found = file_.shape(place.name);
  const Shape needed = stored_shape(shape, place.layout);
  if (!(found == needed)) {
    reject("shape differs", place.name + " is " + to_string(found) +
                                ", needed is " + to_string(needed));
  }
  const ElementType type = file_.type(place.name);
  if (!is_real(type)) {
    reject("type holds no weights",
           place.name + " is " + std::string(to_string(type)));
  }
  used_.insert(place.name);
  return
      [file = file_, path = path_.string(), place, head_width = head_width_] {
        return from_stored(read_finite(file, place.name, path), place.layout,
                           head_width);
      };
}

void ModelWeights::check_rest() const {
  for (const std::string& name : file_.names()) {
    if (used_.contains(name) || is_derived(name)) continue;
    if (name != head) reject("unknown tensor", name);
    check_tied();
  }
}

// A tied head may be stored, too, as long as it is the table. Only where the
// bytes differ are both read: the same values may be stored in two types.
void ModelWeights::check_tied() const {
  if (file_.stores_alike(head, table)) return;
  const Tensor a = file_.tensor(head);
  const Tensor b = file_.tensor(table);
  if (!(a.shape() == b.shape()) ||
      !std::equal(a.values().begin(), a.values().end(), b.values().begin())) {
    reject("tied tensors differ", std::string(head) + ", " + table);
  }
}

void ModelWeights::reject(const std::string& why,
                          const std::string& what) const {
  throw FileError("model: " + why + ": " + what + ", in " + path_.string());
}

}  // namespace tandem::nn
