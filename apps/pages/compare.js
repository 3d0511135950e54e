// The page of a comparison: verdict, facts, every tensor, how the differences
// are spread, and one tensor as a map.
(() => {
  const { data, element, numeric, show, brief, count, list, section, facts, scroll } = kit;
  const judged = data.comparison;
  const allowed = judged.criterion;
  const tensors = judged.tensors;
  const passed = data.verdict === "passed";
  const agree = judged.verdict === "passed";
  const worstRatio = (tensor) => (tensor.worst ? numeric(tensor.worst.ratio_to_allowance) : tensor.finding === "equal" ? 0 : Infinity);
  const worst = tensors.reduce((a, b) => (worstRatio(b) > worstRatio(a) ? b : a), tensors[0]);
  const shapeText = (tensor) => list(tensor.shape) + (tensor.actual_shape ? " and " + list(tensor.actual_shape) : "");
  const deviceText = (execution) => execution.device + (execution.name ? " (" + execution.name + ")" : "");

  // The distance in representable values, counted outward from zero.
  const ulps = (a, b) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return "not countable";
    const bits = new DataView(new ArrayBuffer(8));
    const place = (value) => {
      bits.setFloat64(0, value);
      const raw = bits.getBigInt64(0);
      return raw < 0n ? -(2n ** 63n) - raw : raw;
    };
    const distance = place(a) - place(b);
    return (distance < 0n ? -distance : distance).toString();
  };

  const ratio = (expected, actual) => {
    if (!Number.isFinite(expected) || !Number.isFinite(actual)) return Infinity;
    const difference = Math.abs(actual - expected);
    return difference === 0 ? 0 : difference / (numeric(allowed.absolute) + numeric(allowed.relative) * Math.abs(expected));
  };

  const where = (tensor) => {
    const at = tensor.worst;
    if (!at) return tensor.name + ": " + tensor.finding + ", shape " + shapeText(tensor);
    return tensor.name + " at " + list(at.coordinates) + ": expected " + show(at.expected) + ", got " + show(at.actual) +
      ", " + brief(at.ratio_to_allowance) + " times what is allowed";
  };

  const failed = tensors.filter((tensor) => tensor.finding !== "equal");
  const worstText = () => {
    if (agree && worstRatio(worst) === 0) return "No element differs at all.";
    return (agree ? "Closest to failing: " : "Worst: ") + where(worst);
  };

  const verdict = () => element("div", { class: "verdict " + (passed ? "good" : "bad"), id: "verdict", "data-verdict": data.verdict },
    element("p", {}, element("strong", {}, passed ? "\u2713 Passed" : "\u2717 Failed"), " \u2014 " + deviceText(data.execution) + " against the CPU reference"),
    element("p", { id: "figures" }, count(judged.count) + " elements in " + count(tensors.length) + " tensors, " +
      count(judged.mismatches) + " elements outside the criterion, " + count(failed.length) + " tensors failed" + (agree && !passed ? ". The results agree, but an operation on the way does not:" : "")),
    agree ? diverged() : null,
    element("p", { id: "worst" }, worstText()),
    agree ? null : diverged());

  const diverged = () => {
    const check = data.operation_check;
    if (!check) return null;
    const first = check.first_divergence;
    if (!first) return element("p", { id: "divergence" }, "Each of " + count(check.operations) + " operations agreed on equal inputs.");
    return element("p", { id: "divergence" }, "First operation that differs on equal inputs: ",
      element("strong", {}, first.operation + " in " + first.scope + ", " + first.pass),
      ", element " + first.index + " of " + list(first.shape) + ": expected " + show(first.expected) + ", got " + show(first.actual));
  };

  const criterion = () => element("p", {}, "An element passes if the device\u2019s value is no further from the CPU\u2019s than ",
    element("code", {}, show(allowed.absolute) + " + " + show(allowed.relative) + " \u00d7 |CPU value|"),
    ". A missing or extra tensor, another shape, a NaN or an infinity on either side fails. \u201cRatio\u201d below is the difference over what is allowed: above 1 fails.");

  const { model, stats, loss } = data;
  const libraryText = (library) => element("div", {}, library.name + " " + library.version + ", ", element("code", {}, library.file));
  const ran = () => facts([
    ["Reference", deviceText(data.reference) + ", products in " + data.reference.matmul_precision],
    ["Device", deviceText(data.execution) + ", products in " + (data.execution.math || data.execution.matmul_precision)],
    data.execution.libraries && ["Libraries", data.execution.libraries.map(libraryText)],
    ["Model", (model.directory || "seed " + model.seed) + ", " + count(model.parameter_count) + " parameters"],
    ["Sizes", Object.entries(model.config).map(([name, value]) => name.replaceAll("_", " ") + " " + show(value)).join(", ")],
    ["Input", model.input.batch + " \u00d7 " + model.input.tokens + " tokens, " + model.input.source],
    ["Loss, CPU", element("span", { class: "number" }, show(loss.expected.value) + " " + loss.unit + " (" + loss.expected.bits + ")")],
    ["Loss, device", element("span", { class: "number" }, show(loss.actual.value) + " " + loss.unit + " (" + loss.actual.bits + ")")],
    ["Native work", count(stats.gemm_requests) + " products, " + count(stats.host_to_device_bytes) + " bytes to the device, " + count(stats.device_to_host_bytes) + " bytes back"],
    ["Build", "tandem " + data.build.version + ", " + data.build.compiler + ", " + data.build.build_type],
  ]);

  const columns = [
    { key: "name", title: "Tensor", pick: true, sort: (t) => t.name, show: (t) => t.name },
    { key: "finding", title: "Finding", sort: (t) => t.finding, show: (t) => t.finding },
    { key: "shape", title: "Shape", sort: (t) => t.count, show: shapeText },
    { key: "count", title: "Elements", number: true, sort: (t) => t.count, show: (t) => count(t.count) },
    { key: "mismatches", title: "Outside", number: true, sort: (t) => t.mismatches, show: (t) => count(t.mismatches) },
    { key: "ratio", title: "Worst ratio", number: true, sort: worstRatio, show: (t) => (t.worst ? brief(t.worst.ratio_to_allowance) : "\u2013") },
    { key: "at", title: "Worst at", sort: (t) => (t.worst ? t.worst.index : -1), show: (t) => (t.worst ? list(t.worst.coordinates) : "\u2013") },
    { key: "ulps", title: "Ulps there", number: true, sort: (t) => (t.worst ? t.worst.ulps : -1), show: (t) => (t.worst ? String(t.worst.ulps) : "\u2013") },
    { key: "scaled", title: "Scaled error", number: true, sort: (t) => numeric(t.scaled_error), show: (t) => brief(t.scaled_error) },
    { key: "needed", title: "Passing tolerance", number: true, sort: (t) => numeric(t.passing_relative_tolerance), show: (t) => brief(t.passing_relative_tolerance) },
  ];

  const detail = element("div", { id: "detail" });
  const table = kit.table({
    caption: "Every tensor that was compared; choose one to see its differences",
    columns, rows: tensors,
    describe: (tensor) => (tensor.finding === "equal" ? "" : "failed"),
    choose: (tensor) => detail.replaceChildren(...describe(tensor)),
  });

  const tools = () => {
    const search = element("input", { type: "search", id: "filter", oninput: () => apply() });
    const only = element("input", { type: "checkbox", id: "only-failed", onchange: () => apply() });
    const shown = element("span", { class: "quiet", role: "status", id: "shown" });
    const apply = () => {
      const text = search.value.toLowerCase();
      const rows = table.filter((tensor) => tensor.name.toLowerCase().includes(text) && (!only.checked || tensor.finding !== "equal"));
      shown.textContent = count(rows) + " of " + count(tensors.length) + " shown";
    };
    apply();
    return element("div", { class: "tools" },
      element("label", {}, "Name contains ", search), element("label", {}, only, " failed only"), shown);
  };

  const spread = (distribution) => element("div", { class: "charts" },
    kit.bars("Ratio to what is allowed, by decade (log counts)", "ratio up to", distribution.ratio),
    kit.bars("Distance in ulps (log counts)", "ulps from", distribution.ulps));

  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  // Equal, then seven decades towards the allowance, then outside.
  const colour = (value) => {
    if (value === 0) return dark() ? "#262c35" : "#eef1f5";
    if (!(value <= 1)) return dark() ? "#ff6a5c" : "#c0261a";
    const part = Math.max(0.12, Math.min(1, 1 + Math.log10(value) / 7));
    return dark() ? `hsl(212 80% ${22 + 48 * part}%)` : `hsl(212 70% ${90 - 52 * part}%)`;
  };

  const map = (tensor, values) => {
    const last = tensor.shape.length ? tensor.shape[tensor.shape.length - 1] : 1;
    const lines = tensor.count / last;
    const turned = lines > last;
    const index = (row, column) => (turned ? column * last + row : row * last + column);
    const readout = element("output", { id: "readout" });
    const coordinates = (flat) => {
      const result = [];
      for (const extent of [...tensor.shape].reverse()) {
        result.unshift(flat % extent);
        flat = Math.floor(flat / extent);
      }
      return result;
    };
    const of = (flat) => [numeric(values.expected[flat]), numeric(values.actual[flat])];
    const worstAt = tensor.worst.index;
    const place = (flat) => (turned ? { row: flat % last, column: Math.floor(flat / last) } : { row: Math.floor(flat / last), column: flat % last });
    const heat = kit.heatmap({
      label: "Map of the differences of " + tensor.name + "; arrow keys move, the figures are below",
      rows: turned ? last : lines, columns: turned ? lines : last,
      colour: (row, column) => colour(ratio(...of(index(row, column)))),
      mark: place(worstAt),
      pick: (row, column) => {
        const flat = index(row, column), [expected, actual] = of(flat);
        readout.textContent = tensor.name + " " + list(coordinates(flat)) + "  expected " + show(values.expected[flat]) + "  got " + show(values.actual[flat]) +
          "\ndifference " + show(Math.abs(actual - expected)) + "  ratio " + brief(ratio(expected, actual)) + "  ulps " + ulps(expected, actual);
      },
    });
    const at = place(worstAt);
    heat.go(at.row, at.column);
    return [
      element("p", { class: "quiet" }, "Each cell is one element" + (turned ? "; the last axis runs down" : "; the last axis runs across") + ". The outlined cell is the worst; point at a cell, or focus the map and use the arrow keys."),
      element("ul", { class: "legend" }, [[0, "equal"], [1e-6, "a millionth of what is allowed"], [1e-3, "a thousandth"], [1, "all of it"], [2, "outside"]].map(
        ([value, text]) => element("li", {}, element("i", { style: "background:" + colour(value) }), text))),
      scroll("Map of " + tensor.name, heat.node), readout,
    ];
  };

  const describe = (tensor) => {
    const values = data.elements[tensor.name];
    const children = [element("h3", {}, tensor.name), element("p", {}, worstRatio(tensor) === 0 ? "No element differs." : where(tensor))];
    if (tensor.distribution) children.push(spread(tensor.distribution));
    if (values && tensor.count > 0) children.push(...map(tensor, values));
    else if (tensor.count > 0) children.push(element("p", {}, "Its elements are too many to be in this page; the figures above are of all of them."));
    return children;
  };

  kit.page(
    element("h1", {}, "Comparison of one decoder on two devices"),
    verdict(), criterion(),
    section("What ran", ran()),
    section("How the differences are spread", spread(data.distribution)),
    section("Tensors", tools(), scroll("Tensors", table.node, "tall")),
    section("One tensor", detail),
    section("The record", element("p", {}, "This page holds everything it shows. ", kit.download("tandem-compare.json"))));
  table.choose(worst);
})();
