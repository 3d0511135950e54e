// What the page tests share: a browser without a network, checks, figures.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const skipped = 77; // what ctest takes for "could not be tested"

const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(skipped);
};

const find = (names) => {
  const folders = (process.env.PATH ?? "").split(":");
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
};

// Opens each page at each width and runs `check` on it; `test` gets a fresh page.
export const withBrowser = async (modules, screenshots, body) => {
  const require = createRequire(path.join(path.resolve(modules), "here.js"));
  let playwright, axe;
  try {
    playwright = require("playwright-core");
    axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  } catch {
    skip(`no playwright-core and axe-core in ${modules} (tests/browser/install.sh fetches them)`);
  }
  const executablePath = process.env.TANDEM_CHROMIUM ?? find(["chromium", "chromium-browser", "google-chrome"]);
  if (!executablePath) skip("no chromium on PATH");
  mkdirSync(screenshots, { recursive: true });
  const browser = await playwright.chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await body(new Pages(browser, axe, screenshots));
  } finally {
    await browser.close();
  }
};

class Pages {
  constructor(browser, axe, screenshots) {
    Object.assign(this, { browser, axe, screenshots });
  }

  // Runs `check(page, data)`; then whatever the page did wrong is an error.
  async open(file, options, check) {
    const context = await this.browser.newContext({ viewport: { width: options.width ?? 1280, height: 900 }, colorScheme: options.scheme ?? "light", bypassCSP: true });
    const page = await context.newPage();
    const faults = [];
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
    page.on("request", (request) => /^(file|data):/.test(request.url()) || faults.push(`request: ${request.url()}`));
    page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    await page.goto(pathToFileURL(path.resolve(file)).href);
    const data = JSON.parse(await page.textContent("#data"));
    await check(page, data);
    assert.deepEqual(faults, []);
    await context.close();
  }

  async accessible(page) {
    await page.evaluate(this.axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
    assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
  }

  // No part of the page is wider than the window, bar what scrolls by itself.
  async fits(page) {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  }

  async picture(page, name) {
    await page.screenshot({ path: path.join(this.screenshots, `${name}.png`), fullPage: true });
  }
}

// A page's looks at every width and scheme: it fits, and axe finds nothing.
export const looks = async (pages, file, name) => {
  for (const width of [1280, 390]) {
    for (const scheme of ["light", "dark"]) {
      await pages.open(file, { width, scheme }, async (page) => {
        await pages.fits(page);
        await pages.accessible(page);
        await pages.picture(page, `${name}-${width}-${scheme}`);
      });
    }
  }
};

export { assert };
