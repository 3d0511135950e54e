// The page of a comparison, read as a person reads it.
//   node compare_page.mjs NODE_MODULES_PARENT SCREENSHOTS PAGE DOCUMENT NAME
import { readFileSync, statSync } from "node:fs";
import { assert, looks, withBrowser } from "./browser.mjs";

const [modules, screenshots, file, documentFile, name] = process.argv.slice(2);
const written = JSON.parse(readFileSync(documentFile, "utf8"));
const number = (value) => ({ inf: Infinity, nan: NaN })[value] ?? value;
const ratioOf = (tensor) => (tensor.worst ? number(tensor.worst.ratio_to_allowance) : tensor.finding === "equal" ? 0 : Infinity);
const cells = (page, key) => page.locator(`tbody .${key}`).allTextContents();

const holdsTheDocument = async (page, data) => {
  const { elements, distribution, ...rest } = data;
  for (const tensor of rest.comparison.tensors) delete tensor.distribution;
  assert.deepEqual(rest, written);
  const counted = distribution.ratio.reduce((sum, bin) => sum + bin.count, 0);
  assert.equal(counted, written.comparison.count);
  assert.equal(distribution.ulps.reduce((sum, bin) => sum + bin.count, 0), counted);
  const bad = distribution.ratio.filter((bin) => bin.bad).reduce((sum, bin) => sum + bin.count, 0);
  assert.equal(bad, written.comparison.mismatches);
  assert.equal(Object.keys(elements).length, written.comparison.tensors.length);
  const size = statSync(file).size - (await page.textContent("#data")).length;
  assert.ok(size < 300000, `${size} bytes without data`);
};

const showsTheVerdict = async (page) => {
  const { verdict } = written;
  const { count, mismatches } = written.comparison;
  const shown = page.locator("#verdict");
  assert.equal(await shown.getAttribute("data-verdict"), verdict);
  assert.match(await shown.textContent(), verdict === "passed" ? /Passed/ : /Failed/);
  const figures = await page.textContent("#figures");
  assert.ok(figures.includes(`${count.toLocaleString("en")} elements`), figures);
  assert.ok(figures.includes(`${mismatches.toLocaleString("en")} elements outside`), figures);
};

const onTheFirstScreen = async (page, selector) => {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box.y + box.height < 844, `${selector} is below the first screen`);
};

const showsAFailureAtOnce = async (page) => {
  const found = written.operation_check?.first_divergence;
  if (found) assert.ok((await page.textContent("#divergence")).includes(`${found.operation} in ${found.scope}, ${found.pass}`));
  if (found) await onTheFirstScreen(page, "#divergence");
  if (written.comparison.verdict === "passed") return;
  const worst = [...written.comparison.tensors].sort((a, b) => ratioOf(b) - ratioOf(a))[0];
  const shown = page.locator("#worst");
  const text = await shown.textContent();
  for (const part of [worst.name, `[${worst.worst.coordinates.join(", ")}]`, String(worst.worst.expected), String(worst.worst.actual)]) {
    assert.ok(text.includes(part), `${text} does not say ${part}`);
  }
  await onTheFirstScreen(page, "#worst");
};

const listsEveryTensor = async (page) => {
  const names = await cells(page, "name");
  assert.deepEqual(names, written.comparison.tensors.map((tensor) => tensor.name));
  assert.deepEqual(await cells(page, "finding"), written.comparison.tensors.map((tensor) => tensor.finding));
  assert.deepEqual((await cells(page, "count")).map((text) => Number(text.replaceAll(",", ""))), written.comparison.tensors.map((tensor) => tensor.count));
};

const sorts = async (page) => {
  const sizes = async () => (await cells(page, "count")).map((text) => Number(text.replaceAll(",", "")));
  const header = page.locator("th[data-key=count]");
  const ascending = written.comparison.tensors.map((tensor) => tensor.count).sort((a, b) => a - b);
  await header.locator("button").click();
  assert.equal(await header.getAttribute("aria-sort"), "descending");
  assert.deepEqual(await sizes(), [...ascending].reverse());
  await header.locator("button").press("Enter");
  assert.equal(await header.getAttribute("aria-sort"), "ascending");
  assert.deepEqual(await sizes(), ascending);
};

const filters = async (page) => {
  const matching = written.comparison.tensors.filter((tensor) => tensor.name.includes("query"));
  await page.fill("#filter", "QUERY");
  assert.deepEqual((await cells(page, "name")).sort(), matching.map((tensor) => tensor.name).sort());
  assert.ok((await page.textContent("#shown")).startsWith(`${matching.length} of`));
  await page.fill("#filter", "");
  await page.check("#only-failed");
  const failed = written.comparison.tensors.filter((tensor) => tensor.finding !== "equal");
  assert.equal((await cells(page, "name")).length, failed.length);
  await page.uncheck("#only-failed");
};

const picksACell = async (page, data) => {
  const tensor = written.comparison.tensors.find(({ name: each }) => each.endsWith("query.weight"));
  await page.getByRole("button", { name: tensor.name, exact: true }).click();
  const [rows, columns] = tensor.shape;
  const readout = () => page.textContent("#readout");
  const says = async (row, column) => {
    const { expected, actual } = data.elements[tensor.name];
    const text = await readout();
    const at = row * columns + column;
    assert.ok(text.includes(`[${row}, ${column}]`) && text.includes(`expected ${expected[at]} `) && text.includes(`got ${actual[at]}\n`), text);
  };
  await says(...tensor.worst.coordinates);
  const worstText = await readout();
  assert.ok(worstText.endsWith(`ulps ${tensor.worst.ulps}`), worstText);
  const canvas = page.locator("canvas");
  const box = await canvas.boundingBox();
  await canvas.click({ position: { x: (1.5 / columns) * box.width, y: (2.5 / rows) * box.height } });
  await says(2, 1);
  await canvas.press("ArrowRight");
  await says(2, 2);
  await canvas.press("ArrowUp");
  await says(1, 2);
};

await withBrowser(modules, screenshots, async (pages) => {
  for (const width of [1280, 390]) {
    await pages.open(file, { width }, async (page, data) => {
      await holdsTheDocument(page, data);
      await showsTheVerdict(page);
      await showsAFailureAtOnce(page);
      await listsEveryTensor(page);
      await sorts(page);
      await filters(page);
      await picksACell(page, data);
    });
  }
  await looks(pages, file, name);
});
