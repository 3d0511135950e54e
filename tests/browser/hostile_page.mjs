// Names that are markup stay text, and none of it runs.
//   node hostile_page.mjs NODE_MODULES_PARENT SCREENSHOTS PAGE NAME_FILE
import { readFileSync } from "node:fs";
import { assert, withBrowser } from "./browser.mjs";

const [modules, screenshots, file, nameFile] = process.argv.slice(2);
const hostile = readFileSync(nameFile, "utf8");

await withBrowser(modules, screenshots, async (pages) => {
  await pages.open(file, {}, async (page) => {
    assert.ok((await page.textContent("main")).includes(hostile));
    assert.equal(await page.locator("main script, main img, main b").count(), 0);
    assert.equal(await page.evaluate(() => globalThis.ran), undefined);
  });
});
