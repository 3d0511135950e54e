// tandem demo: the decoder fixture on one device, in full, beside a fresh CPU
// reference.
#include <tandem/compare/snapshot.h>

#include <memory>

#include "command.h"
#include "device_options.h"
#include "json.h"

namespace tandem::cli {
namespace {

struct DemoOptions {
  DeviceOptions device;
  Output output;
};

Json tiny_json(const compare::TinyArithmetic& tiny) {
  return {{"left", tensor(tiny.left)},
          {"right", tensor(tiny.right)},
          {"matmul", tensor(tiny.matrix)},
          {"sum_axis_1_of_left", tensor(tiny.sums)},
          {"mean_axis_1_of_left", tensor(tiny.means)}};
}

Json fixture_json(const compare::DecoderFixture& fixture) {
  return {{"seed", fixture.seed},           {"config", config(fixture.config)},
          {"text", fixture.text},           {"document", fixture.document},
          {"inputs", fixture.input.tokens}, {"targets", fixture.input.targets}};
}

Json snapshot_json(const compare::Snapshot& snapshot) {
  Json gradients = Json::array();
  for (const auto& [name, gradient] : snapshot.gradients) {
    Json entry{{"name", name}};
    entry.update(tensor(gradient));
    gradients.push_back(std::move(entry));
  }
  return {{"loss",
           {{"value", number(snapshot.loss.item())},
            {"bits", bits(snapshot.loss.item())},
            {"unit", "nats"}}},
          {"parameter_count", snapshot.parameter_count},
          {"is_table_tied", snapshot.is_table_tied},
          {"logits", tensor_with_bits(snapshot.logits)},
          {"gradients", std::move(gradients)}};
}

nn::Decoder fresh_model(const compare::DecoderFixture& fixture) {
  nn::SplitMix64 generator(fixture.seed);
  return nn::Decoder(fixture.config, generator);
}

ExitCode run_demo(const DemoOptions& options) {
  const ExecutionContext execution = options.device.open();
  const compare::DecoderFixture fixture = compare::decoder_fixture();
  const auto snapshot =
      compare::take_snapshot(fresh_model(fixture), fixture.input, execution);
  const auto reference = compare::take_snapshot(
      fresh_model(fixture), fixture.input, options.device.reference());
  const auto judged = compare::compare(compare::named_tensors(reference),
                                       compare::named_tensors(snapshot));
  options.output.write(
      {{"schema", "tandem.demo/1"},
       {"build", build_facts()},
       {"execution", options.device.facts(execution)},
       {"reference", execution_facts(options.device.reference())},
       {"arithmetic", tiny_json(snapshot.tiny)},
       {"fixture", fixture_json(fixture)},
       {"snapshot", snapshot_json(snapshot)},
       {"stats", stats(snapshot.stats)},
       {"comparison", comparison(judged)}});
  return judged.passed ? ExitCode::done : ExitCode::comparison_failed;
}

}  // namespace

void add_demo(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "demo", "Run the decoder fixture and print everything it computes");
  const auto options = std::make_shared<DemoOptions>();
  options->device.add_options(*command);
  options->device.add_manner_options(*command);
  options->output.add_options(*command);
  command->callback([options, &chosen] {
    chosen = [options] { return run_demo(*options); };
  });
}

}  // namespace tandem::cli
