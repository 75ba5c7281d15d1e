// Opens pages of dalview in Chromium and uses them as a person would.
//     node page.js CHROMIUM FOLDER
// FOLDER has hello.html, mapped.html, dead.html, measured.html, hostile.html and large.html, and gets the screenshots.
"use strict";
const { check, open, count, text, click, done, main } = require("./browser.js");
const folder = process.argv[3];

const transform = (page) => page.$eval("#view", (view) => view.getAttribute("transform"));

async function hello(browser) {
  const page = await open(browser, "hello");
  check("three processes", (await count(page, ".process")) === 3);
  check("two channels", (await count(page, ".channel")) === 2);
  check("it runs", (await text(page, "#verdict")) === "can run");
  await click(page, ".process", "Square");
  check("facts of a process", /firings an iteration2/.test(await text(page, "#panel")), await text(page, "#panel"));
  check("lines of the XML", /hello\.xml:\d+/.test(await text(page, "#panel")));
  await click(page, "#panel a", "numbers");
  check("facts of a channel", (await text(page, "#panel-title")) === "numbers");
  check("what it leads to", /Square\./.test(await text(page, "#panel")));
  check("the channel is marked", (await count(page, ".channel.chosen")) === 1);
  await page.keyboard.press("Escape");
  check("Escape closes", await page.$eval("#panel", (panel) => panel.hidden));
  await page.keyboard.press("/");
  await page.keyboard.type("CONS");
  check("the search finds", /Consumer/.test(await text(page, "#found li")));
  await page.keyboard.press("Enter");
  check("and goes there", (await text(page, "#panel-title")) === "Consumer");
  const before = await transform(page);
  await page.mouse.move(300, 400);
  await page.mouse.wheel({ deltaY: -300 });
  await page.waitForFunction((old) => document.getElementById("view").getAttribute("transform") !== old, {}, before);
  await page.click("#search", { clickCount: 3 });
  await page.keyboard.type("none of this name");
  check("nothing is found", /nothing/.test(await text(page, "#found")));
  await page.screenshot({ path: folder + "/hello.png" });
  await done(page, "hello");
}

async function mapped(browser) {
  for (const scheme of ["light", "dark"]) {
    const page = await open(browser, "mapped", scheme);
    await page.screenshot({ path: folder + "/mapped-" + scheme + ".png" });
    const all = await count(page, ".process"), groups = await count(page, ".group");
    check("grouped by processor", groups >= 1, groups);
    await click(page, ".group > text", "core_0");
    await page.waitForFunction(() => document.body.dataset.ready === "2", { timeout: 0 });
    check("folded", (await count(page, ".process.folded")) === 1 && (await count(page, ".process")) < all);
    check("its channels lead to the fold", (await count(page, ".channel")) > 0);
    await click(page, ".process.folded", "core_0");
    await page.waitForFunction(() => document.body.dataset.ready === "3", { timeout: 0 });
    check("unfolded", (await count(page, ".process")) === all);
    await done(page, "mapped");
  }
}

async function dead(browser) {
  const page = await open(browser, "dead", "dark");
  check("a deadlock", (await text(page, "#verdict")) === "deadlock");
  check("the cycle", (await count(page, ".channel.witness")) === 2);
  check("who is blocked", (await count(page, ".process.blocked")) === 3);
  check("the messages", /initialtokens="1"/.test(await text(page, "#panel")));
  await click(page, "#panel a", "B.back");
  check("what it waits for", /waits for tokens: there are 0, it needs 1/.test(await text(page, "#panel")), await text(page, "#panel"));
  check("a way out", /a way outinitialtokens="1"/.test(await text(page, "#panel")));
  await page.screenshot({ path: folder + "/dead.png" });
  await done(page, "dead");
}

async function measured(browser) {
  const page = await open(browser, "measured");
  check("a bar of each process and run", (await count(page, ".bar")) === 6, await count(page, ".bar"));
  check("the bottleneck by name", /^bottleneck: /.test(await text(page, "#limit")), await text(page, "#limit"));
  await page.click("#limit");
  check("what would help", /What would help/.test(await text(page, "#panel")));
  await click(page, "#panel a", "Square");
  check("two runs side by side", (await page.$$eval("#panel td", (all) => all.length)) === 14);
  check("its firings", /firings1111/.test(await text(page, "#panel table")), await text(page, "#panel table"));
  await page.screenshot({ path: folder + "/measured.png" });
  await done(page, "measured");
}

async function hostile(browser) {
  const page = await open(browser, "hostile");
  check("no script of a name has run", await page.evaluate(() => window.hit === undefined));
  check("a name is text", /<script>window.hit=1<\/script>/.test(await text(page, "#title")));
  check("no element of a name", (await count(page, "main img, main b, header img")) === 0);
  await page.click("#search");
  await page.keyboard.type("<img");
  await page.keyboard.press("Enter");
  check("facts of a hostile name", /onerror/.test(await text(page, "#panel")), await text(page, "#panel-title"));
  await page.screenshot({ path: folder + "/hostile.png" });
  await done(page, "hostile");
}

async function large(browser) {
  const page = await open(browser, "large");
  check("a thousand processes", (await count(page, ".process")) === 1000);
  await page.click("#search");
  await page.keyboard.type("Work_777");
  await page.keyboard.press("Enter");
  check("one of a thousand", (await text(page, "#panel-title")) === "Work_777");
  await page.screenshot({ path: folder + "/large-near.png" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.click("#fit");
  await page.screenshot({ path: folder + "/large.png" });
  await done(page, "large");
}

main([hello, mapped, dead, measured, hostile, large]);
