// The page of one operation: what it shows is what the library computed.
//   node trace_page.mjs NODE_MODULES_PARENT SCREENSHOTS PAGE DOCUMENT NAME
import { readFileSync } from "node:fs";
import { assert, looks, withBrowser } from "./browser.mjs";

const [modules, screenshots, file, documentFile, name] = process.argv.slice(2);
const written = JSON.parse(readFileSync(documentFile, "utf8"));
const { product, cells, result, operands } = written;

const followsACell = async (page, q) => {
  await page.locator(`button[data-q="${q}"]`).click();
  const shown = await page.locator("#terms tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => Number(cell.textContent))));
  assert.equal(shown.length, product.inner);
  let sum = 0;
  for (const [k, left, leftAt, right, rightAt, term, partial] of shown) {
    assert.equal(left, operands[0].packed.values[leftAt]);
    assert.equal(right, operands[1].packed.values[rightAt]);
    assert.equal(term, left * right);
    sum += term;
    assert.equal(partial, sum, `the partial sum after k = ${k}`);
    assert.equal(partial, cells[q].partial_sums[k]);
  }
  const scaled = written.operation.name === "mean_axis" ? sum / product.inner : sum;
  assert.equal(result.values[q], scaled);
  assert.ok((await page.textContent("#value")).includes(`${result.values[q]} (${result.bits[q]})`));
  assert.ok((await page.textContent("#flat")).endsWith(` = ${q}.`));
  assert.equal(await page.locator('button[aria-pressed="true"]').count(), 1);
};

const lightsUpTheFactors = async (page, q) => {
  const lit = await page.locator("td.used").evaluateAll((nodes) => nodes.map((node) => Number(node.textContent)));
  for (const at of cells[q].left) assert.ok(lit.includes(operands[0].packed.values[at]));
  for (const at of cells[q].right) assert.ok(lit.includes(operands[1].packed.values[at]));
};

await withBrowser(modules, screenshots, async (pages) => {
  await pages.open(file, {}, async (page, data) => {
    assert.deepEqual(data, written);
    assert.equal(await page.locator("button[data-q]").count(), result.values.length);
    for (const q of cells.keys()) {
      await followsACell(page, q);
      await lightsUpTheFactors(page, q);
    }
  });
  await looks(pages, file, name);
});
