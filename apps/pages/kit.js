// The page kit: elements, sortable tables, bar charts and heat maps. All that
// comes from data becomes text, never markup.
const kit = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  const append = (node, children) => {
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== false) node.append(child);
    }
    return node;
  };

  const assign = (node, properties) => {
    for (const [name, value] of Object.entries(properties)) {
      if (value === undefined || value === null || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    return node;
  };

  const element = (name, properties = {}, ...children) =>
    append(assign(document.createElement(name), properties), children);

  const svg = (name, properties = {}, ...children) =>
    append(assign(document.createElementNS("http://www.w3.org/2000/svg", name), properties), children);

  // JSON has no NaN and no infinity: they are strings.
  const numeric = (value) => {
    if (typeof value === "number") return value;
    return { inf: Infinity, "-inf": -Infinity }[value] ?? NaN;
  };

  const show = (value) => {
    if (typeof value === "string") return value;
    return Object.is(value, -0) ? "-0" : String(value);
  };

  const brief = (value) => {
    const number = numeric(value);
    if (!Number.isFinite(number) || number === 0) return show(value);
    const size = Math.abs(number);
    return size >= 1e-3 && size < 1e6 ? String(Number(number.toPrecision(4))) : number.toExponential(2);
  };

  const count = (value) => value.toLocaleString("en");
  const list = (values) => "[" + values.join(", ") + "]";

  const section = (title, ...children) => {
    const id = "s-" + title.toLowerCase().replace(/[^a-z]+/g, "-");
    return element("section", { "aria-labelledby": id }, element("h2", { id }, title), children);
  };

  const facts = (pairs) =>
    element("dl", { class: "facts" }, pairs.filter(Boolean).map(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));

  const scroll = (label, child, extra = "") =>
    element("div", { class: "scroll " + extra, role: "region", "aria-label": label, tabindex: 0 }, child);

  const order = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en") : a < b ? -1 : a > b ? 1 : 0);

  // columns: {key, title, number, sort(row), show(row), pick}. The column with
  // `pick` chooses its row.
  const table = ({ caption, columns, rows, describe, choose }) => {
    const body = element("tbody");
    const state = { key: null, descending: false, chosen: null, keeps: () => true };
    const cell = (row, column) => {
      const content = column.show(row);
      const inner = column.pick ? element("button", { type: "button", onclick: () => api.choose(row) }, content) : content;
      return element(column.pick ? "th" : "td", { class: [column.number && "number", column.key].filter(Boolean).join(" "), scope: column.pick && "row" }, inner);
    };
    const lines = rows.map((row) => [row, element("tr", { class: describe(row) }, columns.map((column) => cell(row, column)))]);
    const headers = columns.map((column) =>
      element("th", { scope: "col", class: column.number && "number", "data-key": column.key },
        element("button", { type: "button", onclick: () => api.sort(column.key) }, column.title)));
    const draw = () => {
      const shown = lines.filter(([row]) => state.keeps(row));
      const column = columns.find((each) => each.key === state.key);
      if (column) shown.sort(([a], [b]) => (state.descending ? -1 : 1) * order(column.sort(a), column.sort(b)));
      body.replaceChildren(...shown.map(([, line]) => line));
      return shown.length;
    };
    const api = {
      node: element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, headers)), body),
      sort(key) {
        const numbers = columns.find((each) => each.key === key).number;
        state.descending = state.key === key ? !state.descending : Boolean(numbers);
        state.key = key;
        for (const header of headers) {
          if (header.dataset.key === key) header.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
          else header.removeAttribute("aria-sort");
        }
        draw();
      },
      filter(keeps) {
        state.keeps = keeps;
        return draw();
      },
      choose(row) {
        for (const [each, line] of lines) line.classList.toggle("chosen", each === row);
        choose(row);
      },
    };
    draw();
    return api;
  };

  // bars: {label, count, bad}. Heights are logarithmic, so that one element
  // among a million is seen.
  const bars = (title, unit, items) => {
    const first = items.findIndex((item) => item.count > 0);
    const last = items.length - 1 - [...items].reverse().findIndex((item) => item.count > 0);
    const shown = first < 0 ? [] : items.slice(first, last + 1);
    const width = 360, height = 150, floor = 118;
    const step = Math.min(44, width / Math.max(shown.length, 1));
    const top = Math.log2(1 + Math.max(1, ...shown.map((item) => item.count)));
    const every = Math.ceil(shown.length / 8);
    const drawn = shown.map((item, i) => {
      const tall = (Math.log2(1 + item.count) / top) * 100;
      return [
        svg("rect", { class: item.bad ? "bar bad" : "bar", x: i * step + 1, y: floor - tall, width: Math.max(step - 2, 1), height: tall },
          svg("title", {}, item.label + ": " + count(item.count))),
        item.count > 0 && step > 22 && svg("text", { x: (i + 0.5) * step, y: floor - tall - 3, "text-anchor": "middle" }, count(item.count)),
        i % every === 0 && svg("text", { x: (i + 0.5) * step, y: floor + 14, "text-anchor": "middle" }, item.label),
      ];
    });
    const total = shown.reduce((sum, item) => sum + item.count, 0);
    const rows = shown.map((item) => element("tr", {}, element("th", { scope: "row" }, item.label), element("td", { class: "number" }, count(item.count))));
    return element("figure", { class: "bars" },
      element("figcaption", {}, title),
      svg("svg", { viewBox: "-10 -14 " + (width + 20) + " " + height, role: "img", "aria-label": title + ": " + count(total) + " elements; the counts are in the table below" },
        svg("line", { class: "axis", x1: 0, x2: width, y1: floor + 0.5, y2: floor + 0.5 }), drawn),
      element("details", {}, element("summary", {}, "Counts"),
        element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, unit), element("th", { scope: "col", class: "number" }, "elements"))), element("tbody", {}, rows))));
  };

  // A canvas of rows x columns cells; arrows move, a click picks.
  const heatmap = ({ label, rows, columns, colour, mark, pick }) => {
    const wide = Math.max(rows, columns), size = Math.max(3, Math.min(28, Math.floor(1060 / wide)));
    const canvas = element("canvas", { width: columns * size, height: rows * size, tabindex: 0, role: "img", "aria-label": label });
    const draw2d = canvas.getContext("2d");
    let at = { row: 0, column: 0 };
    const paint = () => {
      for (let row = 0; row < rows; ++row) {
        for (let column = 0; column < columns; ++column) {
          draw2d.fillStyle = colour(row, column);
          draw2d.fillRect(column * size, row * size, size - (size > 5 ? 1 : 0), size - (size > 5 ? 1 : 0));
        }
      }
      const outline = (cell, style) => {
        draw2d.strokeStyle = style;
        draw2d.lineWidth = 2;
        draw2d.strokeRect(cell.column * size + 1, cell.row * size + 1, size - 2, size - 2);
      };
      const ink = getComputedStyle(document.body).color;
      outline(mark, ink);
      outline(at, getComputedStyle(document.body).getPropertyValue("--accent"));
    };
    const go = (row, column) => {
      at = { row: Math.max(0, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
      paint();
      pick(at.row, at.column);
    };
    const under = (event) => {
      const box = canvas.getBoundingClientRect();
      return [Math.floor(((event.clientY - box.top) / box.height) * rows), Math.floor(((event.clientX - box.left) / box.width) * columns)];
    };
    canvas.addEventListener("click", (event) => go(...under(event)));
    canvas.addEventListener("mousemove", (event) => go(...under(event)));
    canvas.addEventListener("keydown", (event) => {
      const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!move) return;
      event.preventDefault();
      go(at.row + move[0], at.column + move[1]);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    return { node: canvas, go };
  };

  const download = (name) => {
    const plain = JSON.stringify(data, null, 2);
    return element("a", { href: "data:application/json;charset=utf-8," + encodeURIComponent(plain), download: name }, "Save the data as JSON");
  };

  const page = (...children) => append(document.getElementById("page"), children);

  return { data, element, svg, numeric, show, brief, count, list, section, facts, scroll, table, bars, heatmap, download, page };
})();
