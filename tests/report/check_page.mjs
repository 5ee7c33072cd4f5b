// The pages of real runs in a real browser: check_page.mjs PORTPATCH. Exits with 77, and the reason, where there is
// no Chromium (PORTPATCH_CHROMIUM, or in PATH).
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { kHostile, makeWorld } from "./page_world.mjs";

const portpatch = resolve(process.argv[2]);
const skip = (reason) => {
  console.log(`skipped: ${reason}`);
  process.exit(77);
};
const inPath = (name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)).find((path) => existsSync(path));
const executablePath = process.env.PORTPATCH_CHROMIUM ?? ["chromium", "chromium-browser", "google-chrome"].map(inPath).find(Boolean);
if (!executablePath) skip("there is no Chromium here (Debian: apt-get install chromium)");
const { chromium } = await import("playwright-core").catch(() => skip("playwright-core is not installed (npm ci)"));

let mistakes = 0, checks = 0;
const expect = (holds, what) => {
  ++checks;
  if (holds) return;
  ++mistakes;
  console.log(`wrong: ${what}`);
};
const same = (found, wanted, what) => expect(JSON.stringify(found) === JSON.stringify(wanted), `${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);

const folder = mkdtempSync(join(tmpdir(), "portpatch-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
makeWorld(folder, portpatch);
const runs = {
  status: ["status", "pack"],
  check: ["check", "--fix", "--dry-run", "--syntax-only", "pack"],
  audit: ["audit", "--cc", "12.0,12.1", "--syntax-only"],
  review: ["review", "pack", "--base", "start", "--head", "main", "--cc", "12.0", "--syntax-only"],
  timeline: ["timeline", "pack", "start..main"],
};
const json = {};
for (const [name, words] of Object.entries(runs)) {
  const run = (format) => spawnSync(portpatch, ["-C", "tree", "--format", format, ...words], { cwd: folder, maxBuffer: 1 << 28 });
  json[name] = JSON.parse(run("json").stdout.toString());
  writeFileSync(join(folder, `${name}.html`), run("html").stdout);
}

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
}).catch((error) => skip(`Chromium does not start here: ${error.message.split("\n")[0]}`));

/// Opens a page; what it logs, asks for or pops up is a mistake.
async function open(name, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const url = pathToFileURL(join(folder, `${name}.html`)).href;
  page.on("console", (message) => expect(false, `${name} logs: ${message.text()}`));
  page.on("pageerror", (error) => expect(false, `${name} fails: ${error.message}`));
  page.on("dialog", (dialog) => { expect(false, `${name} runs hostile text: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => expect(request.url() === url, `${name} asks for ${request.url()}`));
  await page.goto(url);
  return page;
}

const openAll = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));

/// Nothing but our own elements is there, and hostile text is read as what it is.
async function isText(page, name) {
  const found = await page.evaluate(() => ({
    scripts: document.scripts.length,
    styles: document.querySelectorAll("style").length,
    foreign: document.querySelectorAll("img, iframe, link, object, embed, form, base").length,
    handlers: [...document.querySelectorAll("*")].filter((one) => one.getAttributeNames().some((attribute) => attribute.startsWith("on") || attribute === "style")).length,
    controls: /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/.test(document.documentElement.textContent),
  }));
  same(found, { scripts: 1, styles: 1, foreign: 0, handlers: 0, controls: false }, `${name}: what the page is made of`);
}

/// Lines of the page's text that cannot be told from what is behind them: contrast below 4.5 (WCAG 2, AA).
const lowContrast = () => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+(e-?\d+)?/g).map(Number);
    return text.startsWith("color(") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, i) => value * a + under[i] * (1 - a));
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.push(parse(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const light = (colour) => colour.map((value) => value / 255).map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
  const low = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || ["SCRIPT", "title"].includes(element.tagName)) continue;
    const style = getComputedStyle(element), isDrawn = element.tagName === "text";
    const segment = isDrawn && element.parentElement.querySelector(".segment");
    const under = segment ? over(parse(getComputedStyle(segment).fill), behind(element)) : behind(element);
    const found = ratio(over(parse(isDrawn ? style.fill : style.color), under), under);
    if (found < 4.5) low.add(`${element.tagName}.${element.getAttribute("class") ?? ""} ${found.toFixed(2)}`);
  }
  return [...low];
};

/// Every link, button, field and fold has a name for screen readers, and the tabulator key comes to it.
async function isReachable(page, name) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const roles = ["link", "button", "searchbox", "textbox", "DisclosureTriangle", "group", "table"];
  const nameless = nodes.filter((node) => !node.ignored && roles.includes(node.role?.value) && !node.name?.value && !(node.role.value === "group" && node.properties?.every((one) => one.name !== "focusable")));
  same(nameless.map((node) => node.role.value), [], `${name}: without a name`);
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll("a, button, input, summary")].filter((one) => one.checkVisibility() && one.getAttribute("tabindex") !== "-1");
    all.forEach((one, at) => one.setAttribute("data-stop", at));
    document.activeElement.blur();
    return all.length;
  });
  const reached = new Set();
  for (let i = 0; i < wanted * 2 + 50 && reached.size < wanted; ++i) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => document.activeElement.getAttribute("data-stop"));
    if (stop !== null) reached.add(stop);
  }
  same(reached.size, wanted, `${name}: what the tabulator key comes to`);
}

const visible = (page, selector) => page.evaluate((wanted) => [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility()).length, selector);

for (const name of Object.keys(runs)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [375, 1280]) {
      const page = await open(name, { viewport: { width, height: 812 }, colorScheme });
      await openAll(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide <= width, `${name} is ${wide} wide on a screen of ${width}`);
      if (width === 1280) same(await page.evaluate(lowContrast), [], `${name}, ${colorScheme}: hard to read`);
      await page.context().close();
    }
  }
  const page = await open(name, { viewport: { width: 1280, height: 812 } });
  await isText(page, name);
  await openAll(page);
  await isReachable(page, name);
  await page.context().close();
}

{ // status: worst first; filters, words, copying
  const page = await open("status", { permissions: ["clipboard-write"] });
  const outcomes = await page.locator("#rules article").evaluateAll((cards) => cards.map((card) => card.dataset.kind));
  same(outcomes, ["lost", "ambiguous", "conflict", "pending", "pending", "upstreamed"], "status: the rules");
  same([...outcomes].sort(), json.status.rules.map((rule) => rule.outcome).sort(), "status: the rules, as in JSON");
  same(await page.locator(".versions figure").count(), 3, "status: the versions of the conflict");
  expect((await page.locator(".versions pre").nth(2).textContent()).includes("</pre><script>alert(5)</script>"), "status: upstream's text");
  expect((await page.locator(".trace").textContent()).includes(kHostile.slice(0, kHostile.indexOf("\u202e"))), "status: a commit's subject");
  same(await page.locator(".versions mark").evaluateAll((marks) => marks.map((mark) => mark.textContent).slice(0, 1)), ["256"], "status: what differs");
  expect(await page.locator(".versions .c-number").count() > 3, "status: colours");
  await page.locator("[data-show=lost]").click();
  same(await visible(page, "article"), 1, "status: only the lost");
  await page.locator("[data-show=lost]").click();
  await page.locator(".filter input").fill("MEASURED sm120");
  same(await visible(page, "article"), 1, "status: by words");
  await page.locator(".filter input").fill("");
  same(await visible(page, "article"), 6, "status: all again");
  await page.locator("article[data-kind=lost] .copy").click();
  // The clipboard answers later.
  const copied = page.locator("article[data-kind=lost] .copy", { hasText: /^(Copied|Selected)$/ });
  expect(await copied.waitFor({ timeout: 5000 }).then(() => true, () => false), "status: the command is copied");
  await page.context().close();
}

{ // check: the finding, both places, the diff
  const page = await open("check", {});
  same(await page.locator("article").evaluateAll((cards) => cards.map((card) => card.dataset.kind)), ["disagrees", "agrees"], "check: the companions");
  same(await page.locator(".added, .removed").evaluateAll((lines) => lines.map((line) => line.textContent)),
    ["-inline const std::map<int, int> kBatch = {{9, 16}};", "+inline const std::map<int, int> kBatch = {{9, 32}};"], "check: what --fix would write");
  await page.context().close();
}

{ // audit: a row for each place, a cell for each cc
  const page = await open("audit", {});
  const cells = await page.locator("tr[data-kind]").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("[data-cc] .badge")].map((one) => one.textContent).join(" ")));
  same(cells.sort(), json.audit.places.map((place) => place.answers.map((one) => one.coverage).join(" ")).sort(), "audit: the cells");
  same(await visible(page, "tr[data-kind]"), 0, "audit: folders are folded");
  await page.locator("[data-show=none]").click();
  same(await visible(page, "tr[data-kind]"), json.audit.places.filter((place) => place.answers.some((one) => one.coverage === "none")).length, "audit: only those without an arm");
  await page.locator("[data-show=none]").click();
  await page.locator(".filter input").fill("kernel.cu");
  same(await visible(page, "tr[data-kind]"), json.audit.places.filter((place) => place.path === "csrc/kernel.cu").length, "audit: by path");
  await page.locator(".filter input").fill("");
  same(await visible(page, "tr[data-kind]"), 0, "audit: folded again");
  await page.context().close();
}

{ // review: the findings, worst first; the edit; commands to copy
  const page = await open("review", {});
  const cards = await page.locator("#findings article").evaluateAll((all) => all.map((card) => card.dataset.kind));
  same(cards, json.review.findings.map((one) => one.severity), "review: the findings");
  expect(cards.length > 3 && cards[0] === "error" && cards.includes("note"), `review: errors and notes are there: ${cards}`);
  await page.locator("[data-show=error]").click();
  same(await visible(page, "#findings article"), cards.filter((one) => one === "error").length, "review: errors alone");
  expect(await page.locator("#findings .copy").count() > 0, "review: commands");
  await page.context().close();
}

{ // timeline: lanes and marks; the arrow keys
  const page = await open("timeline", { viewport: { width: 375, height: 812 } });
  const rules = json.timeline.rules, changes = rules.flatMap((rule) => rule.changes);
  same(await page.locator(".lane").count(), rules.length, "timeline: the lanes");
  same(await page.locator(".mark").count(), changes.length, "timeline: the marks");
  same(await page.locator(".changes tr[id]").count(), rules.length + changes.length, "timeline: the table");
  same(await page.locator(".segment").count(), rules.length + changes.length, "timeline: the segments");
  await page.locator(".mark").first().focus();
  expect((await page.locator("#commit").textContent()).includes("Drop the kernel list"), "timeline: the commit of a mark");
  await page.keyboard.press("ArrowDown");
  expect((await page.locator("#commit").textContent()).includes("Measure SM120 on NVLink & elsewhere"), "timeline: the next lane");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.querySelector("tr:target") !== null), "timeline: a mark leads to its row");
  expect(await page.evaluate(() => { const box = document.querySelector(".lanes"); return box.scrollWidth > box.clientWidth; }), "timeline: the picture scrolls in its own box");
  await page.context().close();
}

for (const name of Object.keys(runs)) { // without a script
  const page = await open(name, { javaScriptEnabled: false });
  same(await page.locator(".scripted:visible").count(), 0, `${name} without a script: nothing that needs one`);
  const folded = page.locator("details:not([open]) > summary");
  while (await folded.count() > 0) await folded.first().click();
  same(await page.locator("dl, table, pre").evaluateAll((all) => all.filter((one) => !one.checkVisibility() && one.childElementCount > 0).length), 0, `${name} without a script: everything can be unfolded`);
  await page.context().close();
}

await browser.close();
console.log(`${checks} checks, ${mistakes} mistakes`);
process.exit(mistakes === 0 ? 0 : 1);
