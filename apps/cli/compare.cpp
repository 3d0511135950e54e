// tandem compare: one decoder on the CPU and on the chosen device, with every
// figure of the difference.
#include <tandem/compare/snapshot.h>
#include <tandem/execution/operation_check.h>
#include <tandem/tensor/error.h>

#include <memory>

#include "command.h"
#include "compare_page.h"
#include "criterion_options.h"
#include "device_options.h"
#include "json.h"
#include "messages.h"
#include "model_options.h"

namespace tandem::cli {
namespace {

struct CompareOptions {
  DeviceOptions device;
  ModelOptions model;
  CriterionOptions criterion;
  bool check_operations = false;
  Output output;
  PageOutput page;
};

// Both runs and what was found.
struct Outcome {
  compare::Snapshot reference;
  compare::Snapshot snapshot;
  compare::Comparison judged;
  std::shared_ptr<OperationCheck> check;  // null: not asked for

  // Results may agree although an operation on the way went wrong.
  bool passed() const {
    return judged.passed && (!check || !check->first_divergence().has_value());
  }
};

Json loss_json(const Tensor& loss) {
  return {{"value", number(loss.item())}, {"bits", bits(loss.item())}};
}

std::shared_ptr<OperationCheck> make_check(const CompareOptions& options) {
  if (!options.check_operations) return nullptr;
  if (options.device.device == "cpu") {
    throw UsageError("--check-operations: has no effect without --device cuda");
  }
  return std::make_shared<OperationCheck>(options.criterion.criterion);
}

compare::Snapshot run_on_device(const DecoderCase& made,
                                const ExecutionContext& execution,
                                const std::shared_ptr<OperationCheck>& check) {
  try {
    return compare::take_snapshot(
        made.model, made.input,
        check ? execution.with_check(check) : execution);
  } catch (const NonfiniteError&) {
    // The run ends here, but where it went wrong is known.
    if (check) report_divergence(*check);
    throw;
  }
}

Outcome run_both(const CompareOptions& options, const DecoderCase& made,
                 const ExecutionContext& execution,
                 const std::shared_ptr<OperationCheck>& check) {
  report_progress("running on cpu");
  Outcome outcome;
  outcome.check = check;
  outcome.reference = compare::take_snapshot(made.model, made.input,
                                             options.device.reference());
  report_progress("running on " + to_string(execution.device()));
  outcome.snapshot = run_on_device(made, execution, check);
  outcome.judged = compare::compare(compare::named_tensors(outcome.reference),
                                    compare::named_tensors(outcome.snapshot),
                                    options.criterion.criterion);
  return outcome;
}

Json document_of(const CompareOptions& options, const DecoderCase& made,
                 const ExecutionContext& execution, const Outcome& outcome) {
  const auto& check = outcome.check;
  return {{"schema", "tandem.compare/1"},
          {"verdict", outcome.passed() ? "passed" : "failed"},
          {"build", build_facts()},
          {"reference", execution_facts(options.device.reference())},
          {"execution", options.device.facts(execution)},
          {"model", options.model.facts(made)},
          {"loss",
           {{"expected", loss_json(outcome.reference.loss)},
            {"actual", loss_json(outcome.snapshot.loss)},
            {"unit", "nats"}}},
          {"comparison", comparison(outcome.judged)},
          {"operation_check", check ? operation_check(*check) : Json(nullptr)},
          {"stats", stats(outcome.snapshot.stats)}};
}

ExitCode run_compare(const CompareOptions& options) {
  const auto check = make_check(options);
  const ExecutionContext execution = options.device.open();
  const DecoderCase made = options.model.make();
  const Outcome outcome = run_both(options, made, execution, check);
  const Json document = document_of(options, made, execution, outcome);
  if (options.page.is_wanted()) {
    options.page.write(compare_page(
        document, compare::named_tensors(outcome.reference),
        compare::named_tensors(outcome.snapshot), outcome.judged.criterion));
  }
  options.output.write(document);
  report_verdict(outcome.judged);
  if (check) report_divergence(*check);
  return outcome.passed() ? ExitCode::done : ExitCode::comparison_failed;
}

}  // namespace

void add_compare(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "compare",
      "Run a decoder on the CPU and on a device and compare every logit, the "
      "loss and every gradient");
  const auto options = std::make_shared<CompareOptions>();
  options->device.add_options(*command);
  options->device.add_manner_options(*command);
  options->model.add_options(*command);
  options->criterion.add_options(*command);
  command->add_flag("--check-operations", options->check_operations,
                    "Also run each operation of the device by the CPU rule on "
                    "equal inputs, and name the first that differs");
  options->output.add_options(*command);
  options->page.add_options(*command);
  command->footer(
      "Without --model, the tokens are the fixture's unless --vocabulary, "
      "--batch or\n--tokens are not; then they are drawn from the seed. Exit "
      "code 1: the comparison\nfailed.");
  command->callback([options, &chosen] {
    chosen = [options] { return run_compare(*options); };
  });
}

}  // namespace tandem::cli
