// The page of one operation: operands and their storage, packed bytes, the
// native call, and each cell's products and partial sums.
(() => {
  const { data, element, show, list, section, facts, scroll } = kit;
  const { operation, product, gemm, cells, result } = data;
  const [left, right] = data.operands;
  const isProduct = operation.name === "matmul";
  const isMean = operation.name === "mean_axis";
  const perBatch = product.rows * product.columns;

  const sentence = () => {
    const flag = (set) => (set ? " transposed" : "");
    if (isProduct) {
      return "matmul: " + left.name + " " + list(left.shape) + flag(operation.transpose_left) + " \u00d7 " +
        right.name + " " + list(right.shape) + flag(operation.transpose_right) + " = " + list(result.shape);
    }
    return operation.name.replace("_axis", "") + " of " + left.name + " " + list(left.shape) + " over axis " + operation.axis + " = " + list(result.shape);
  };

  // The 8 bytes of a value as they lie in memory, lowest first.
  const bytes = (value) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, kit.numeric(value), true);
    return [...Array(8).keys()].map((i) => view.getUint8(i).toString(16).padStart(2, "0")).join(" ");
  };

  // Cells that light up when a result is chosen, by what they show.
  const marked = [];
  const cell = (kind, index, value, title) => {
    const node = element("td", { title }, show(value));
    marked.push({ kind, index, node });
    return node;
  };

  const logical = (operand, side) => {
    const rank = operand.shape.length;
    const place = (index) => operand.offset + index.reduce((sum, i, axis) => sum + i * operand.strides[axis], 0);
    const columns = rank ? operand.shape[rank - 1] : 1;
    const outer = operand.shape.slice(0, -1);
    const total = outer.reduce((a, b) => a * b, 1);
    const rows = [...Array(total).keys()].map((flat) => {
      const index = [];
      for (const extent of [...outer].reverse()) {
        index.unshift(flat % extent);
        flat = Math.floor(flat / extent);
      }
      const values = [...Array(columns).keys()].map((j) => {
        const at = place([...index, j].slice(0, rank));
        return cell(side + "-storage", at, operand.storage[at], "storage place " + at);
      });
      return element("tr", {}, rank > 1 && element("th", { scope: "row" }, list([...index, ":"])), values);
    });
    return element("table", { class: "grid" }, element("caption", {}, operand.name + " " + list(operand.shape) + ", strides " + list(operand.strides) + ", offset " + operand.offset), element("tbody", {}, rows));
  };

  const strip = (caption, kind, values, title) =>
    scroll(caption, element("table", { class: "grid" },
      element("caption", {}, caption),
      element("tbody", {},
        element("tr", {}, element("th", { scope: "row" }, "place"), values.map((_, i) => element("td", { class: "idle" }, String(i)))),
        element("tr", {}, element("th", { scope: "row" }, "value"), values.map((value, i) => cell(kind, i, value, title(value, i)))))));

  const made = (operand) => operand.packed.storage_places.length === 0;
  const operandPart = (operand, side, packedShape) => {
    const from = operand.packed.storage_places;
    const packed = strip("Packed row-major " + list(packedShape) + ": " + operand.packed.values.length * 8 + " bytes to the device", side + "-packed", operand.packed.values,
      (value, i) => "byte " + i * 8 + ": " + bytes(value) + (from.length ? ", from storage place " + from[i] : ""));
    if (made(operand)) return [element("h3", {}, "The ones"), element("p", {}, "A column of ones is made for the product, sent and counted."), packed];
    return [element("h3", {}, operand.name),
      scroll("Values of " + operand.name, logical(operand, side)),
      strip("Storage behind " + operand.name, side + "-storage", operand.storage, (value, i) => "storage place " + i + ": " + bytes(value)),
      packed];
  };

  // Packed bytes read the column-major way: entry (i, j) of batch b lies at
  // b * stride + j * leading + i.
  const columnMajor = (title, kind, values, rows, columns, leading, stride) => {
    const one = (batch) => element("table", { class: "grid" },
      element("caption", {}, title + (gemm.batch_count > 1 ? ", batch " + batch : "") + ": " + rows + " \u00d7 " + columns),
      element("tbody", {}, [...Array(rows).keys()].map((i) => element("tr", {}, [...Array(columns).keys()].map((j) => {
        const at = batch * stride + j * leading + i;
        return cell(kind, at, values[at], "packed place " + at + " = " + batch + "\u00b7" + stride + " + " + j + "\u00b7" + leading + " + " + i);
      })))));
    return [...Array(gemm.batch_count).keys()].map(one);
  };

  const call = () => [
    element("p", {}, "cuBLAS reads column by column. The same bytes read that way are the transposed matrix, and (left \u00d7 right)\u1d40 = right\u1d40 \u00d7 left\u1d40: so the operands change places, and nothing is transposed or copied for it."),
    facts([
      ["operand a", right.name + " as " + gemm.m + " \u00d7 " + gemm.k + ", leading dimension " + gemm.lda + ", stride " + gemm.stride_a],
      ["operand b", left.name + " as " + gemm.k + " \u00d7 " + gemm.n + ", leading dimension " + gemm.ldb + ", stride " + gemm.stride_b],
      ["result c", gemm.m + " \u00d7 " + gemm.n + ", leading dimension " + gemm.ldc + ", stride " + gemm.stride_c],
      ["m, n, k", gemm.m + ", " + gemm.n + ", " + gemm.k + " (columns, rows and factors of the row-major product)"],
      ["batch count", String(gemm.batch_count)],
      ["alpha, beta", show(gemm.alpha) + ", " + show(gemm.beta) + (isMean ? " (a mean is the sum, scaled by 1/" + gemm.k + ")" : "")],
    ]),
    scroll("Operands as the device reads them", element("div", { class: "side" },
      columnMajor("a", "right-packed", right.packed.values, gemm.m, gemm.k, gemm.lda, gemm.stride_a),
      columnMajor("b", "left-packed", left.packed.values, gemm.k, gemm.n, gemm.ldb, gemm.stride_b),
      columnMajor("c", "result", result.values, gemm.m, gemm.n, gemm.ldc, gemm.stride_c))),
  ];

  const buttons = [];
  const picker = () => [...Array(product.batch).keys()].map((batch) => element("table", { class: "grid" },
    element("caption", {}, "Result" + (product.batch > 1 ? ", batch " + batch : "")),
    element("tbody", {}, [...Array(product.rows).keys()].map((i) => element("tr", {}, [...Array(product.columns).keys()].map((j) => {
      const q = batch * perBatch + i * product.columns + j;
      const button = element("button", { type: "button", "data-q": q, "aria-pressed": "false", "aria-label": "cell (" + i + ", " + j + ")" + (product.batch > 1 ? " of batch " + batch : "") + ": " + show(result.values[q]), onclick: () => choose(q) }, show(result.values[q]));
      buttons.push(button);
      return element("td", {}, button);
    }))))));

  const detail = element("div", { id: "detail", "aria-live": "polite" });

  const terms = (chosen) => element("table", { id: "terms" },
    element("caption", {}, "Its products, added in this order"),
    element("thead", {}, element("tr", {}, ["k", "left factor", "packed at", "right factor", "packed at", "product", "partial sum"].map((title) => element("th", { scope: "col", class: "number" }, title)))),
    element("tbody", {}, chosen.products.map((value, k) => element("tr", {},
      [k, left.packed.values[chosen.left[k]], chosen.left[k], right.packed.values[chosen.right[k]], chosen.right[k], value, chosen.partial_sums[k]].map(
        (each) => element("td", { class: "number" }, show(each)))))));

  const uses = (chosen, q) => ({
    "left-packed": new Set(chosen.left),
    "right-packed": new Set(chosen.right),
    "left-storage": new Set(chosen.left.map((at) => left.packed.storage_places[at])),
    "right-storage": new Set(chosen.right.map((at) => right.packed.storage_places[at])),
    result: new Set([q]),
  });

  const choose = (q) => {
    const batch = Math.floor(q / perBatch), i = Math.floor((q % perBatch) / product.columns), j = q % product.columns;
    const chosen = cells[q], used = uses(chosen, q);
    for (const button of buttons) button.setAttribute("aria-pressed", String(Number(button.dataset.q) === q));
    for (const { kind, index, node } of marked) node.classList.toggle("used", used[kind].has(index));
    detail.replaceChildren(
      element("p", { id: "flat" }, "Cell (" + i + ", " + j + ") of batch " + batch + " has the flat index q = (b\u00b7M + i)\u00b7N + j = (" + batch + "\u00b7" + product.rows + " + " + i + ")\u00b7" + product.columns + " + " + j + " = " + q + "."),
      scroll("Products and partial sums", terms(chosen)),
      element("p", { id: "value" }, (isMean ? "The last sum, divided by " + product.inner + " on the CPU or scaled by " + show(gemm.alpha) + " on the device: " : "The result: "),
        element("code", {}, show(result.values[q]) + " (" + result.bits[q] + ")")),
      element("p", {}, "The device writes it as row " + j + ", column " + i + " of c, place " + batch + "\u00b7" + gemm.stride_c + " + " + i + "\u00b7" + gemm.ldc + " + " + j + " = " + q + ". That is byte " + 8 * q + " of the " + 8 * result.values.length + " bytes that come back: row-major again, so the host uses them as they are."));
  };

  kit.page(
    element("h1", {}, sentence()),
    element("p", {}, "Follow it from the host\u2019s memory to the device and back. Choose a cell of the result: what it is made of lights up everywhere. Each cell is independent of the others; within a cell the products are reduced to one sum, in order of k. A device may add in another order."),
    section("Result", scroll("Cells of the result", element("div", { class: "side" }, picker())), detail),
    section("Operands", element("p", {}, "A view may lie in its storage with any strides; the device is given packed rows, so each operand is packed on the way. Point at a value to see its bytes."),
      operandPart(left, "left", [product.batch, product.rows, product.inner]),
      operandPart(right, "right", [product.batch, product.inner, product.columns])),
    section("The native call", call()),
    section("Back on the host", strip("Result, row-major", "result", result.values, (value, i) => "byte " + i * 8 + ": " + bytes(value))),
    section("The record", element("p", {}, "This page holds everything it shows. ", kit.download("tandem-trace.json"))));
  choose(0);
})();
