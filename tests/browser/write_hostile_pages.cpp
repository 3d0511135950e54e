// Writes a page about a tensor whose name is markup.
//   write_hostile_pages compare|trace PAGE NAME
#include <tandem/nn/file.h>

#include <string>

#include "compare_page.h"
#include "json.h"
#include "page.h"
#include "page_sources.h"
#include "trace_document.h"

namespace tandem::cli {
namespace {

const std::string hostile =
    "</script><script>globalThis.ran=1</script><!--<img src=x "
    "onerror=\"globalThis.ran=1\"><b>&lt;@data@\\u003c";

std::string hostile_compare_page() {
  const std::vector<compare::NamedTensor> expected{
      {hostile, Tensor({2}, {1, 2})}};
  const std::vector<compare::NamedTensor> actual{
      {hostile, Tensor({2}, {1, 3})}};
  const auto judged = compare::compare(expected, actual);
  const Json loss{{"value", 1.0}, {"bits", bits(1.0)}};
  const Json document{
      {"verdict", "failed"},
      {"build", build_facts()},
      {"reference", execution_facts({})},
      {"execution", execution_facts({})},
      {"model",
       {{"seed", 1},
        {"config", Json::object()},
        {"parameter_count", 2},
        {"input", {{"source", "drawn"}, {"batch", 1}, {"tokens", 1}}}}},
      {"loss", {{"expected", loss}, {"actual", loss}, {"unit", "nats"}}},
      {"comparison", comparison(judged)},
      {"operation_check", nullptr},
      {"stats", stats({})}};
  return compare_page(document, expected, actual, judged.criterion);
}

std::string hostile_trace_page() {
  const Tensor tensor({1, 2}, {1, 2});
  const TraceOperand operand{hostile, tensor, tensor.view()};
  return make_page("tandem trace", pages::trace_js,
                   trace_matmul(operand, operand, false, true));
}

}  // namespace
}  // namespace tandem::cli

int main(int count, char** arguments) {
  using namespace tandem;
  if (count != 4) return 2;
  const bool trace = std::string(arguments[1]) == "trace";
  nn::write_file(arguments[2], trace ? cli::hostile_trace_page()
                                     : cli::hostile_compare_page());
  nn::write_file(arguments[3], cli::hostile);
  return 0;
}
