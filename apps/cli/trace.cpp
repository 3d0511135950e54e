// tandem trace: one product, sum or mean on its way through the device's
// memory.
#include <memory>

#include "command.h"
#include "json.h"
#include "number_options.h"
#include "page.h"
#include "page_sources.h"
#include "trace_document.h"

namespace tandem::cli {
namespace {

// The operands of the tiny arithmetic.
constexpr char tiny_left[] = "[[1, 2, 3], [4, 5, 6]]";
constexpr char tiny_right[] = "[[7, 8], [9, 10], [11, 12]]";

struct TraceOptions {
  std::string left = tiny_left;
  std::string right = tiny_right;
  std::string operand = tiny_left;
  bool transpose_left = false;
  bool transpose_right = false;
  std::uint64_t axis = 1;
  Output output;
  PageOutput page;
};

ExitCode write(const TraceOptions& options, const Json& document) {
  if (options.page.is_wanted()) {
    options.page.write(make_page("tandem trace", pages::trace_js, document));
  }
  options.output.write(document);
  return ExitCode::done;
}

void add_operand(CLI::App& app, const std::string& name, std::string& value) {
  app.add_option(
         name, value,
         "Nested lists, or {\"shape\", \"values\"} with "
         "\"permute\", \"reverse\" and \"name\" if wanted, or a file of these")
      ->type_name("FILE|JSON")
      ->capture_default_str();
}

void add_outputs(CLI::App& app, TraceOptions& options) {
  options.output.add_options(app);
  options.page.add_options(app);
}

void add_matmul(CLI::App& trace, Command& chosen) {
  CLI::App* command = trace.add_subcommand("matmul", "Follow a product");
  const auto options = std::make_shared<TraceOptions>();
  add_operand(*command, "--left", options->left);
  add_operand(*command, "--right", options->right);
  command->add_flag("--transpose-left", options->transpose_left,
                    "Swap the last two axes of the left operand");
  command->add_flag("--transpose-right", options->transpose_right,
                    "Swap the last two axes of the right operand");
  add_outputs(*command, *options);
  command->callback([options, &chosen] {
    chosen = [options] {
      return write(*options, trace_matmul(read_operand(options->left, "left"),
                                          read_operand(options->right, "right"),
                                          options->transpose_left,
                                          options->transpose_right));
    };
  });
}

void add_reduction(CLI::App& trace, Command& chosen, const std::string& name,
                   Reduction reduction) {
  CLI::App* command = trace.add_subcommand(
      name, "Follow a " + name + " over one axis, as a product with ones");
  const auto options = std::make_shared<TraceOptions>();
  add_operand(*command, "--operand", options->operand);
  add_whole_number(*command, "--axis", options->axis, "The axis that goes");
  add_outputs(*command, *options);
  command->callback([options, reduction, &chosen] {
    chosen = [options, reduction] {
      return write(
          *options,
          trace_reduction(reduction, read_operand(options->operand, "operand"),
                          options->axis));
    };
  });
}

}  // namespace

void add_trace(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "trace",
      "Follow one operation across the memory boundary: strides, packing, the "
      "native call, and every partial sum");
  command->require_subcommand(1);
  add_matmul(*command, chosen);
  add_reduction(*command, chosen, "sum", Reduction::sum);
  add_reduction(*command, chosen, "mean", Reduction::mean);
}

}  // namespace tandem::cli
