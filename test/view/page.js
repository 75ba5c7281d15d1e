// Opens pages of dalview in Chromium and uses them as a person would.
//     node page.js CHROMIUM FOLDER
// FOLDER has hello.html, newest.html, filter.html, parts.html, parts-folded.html, mapped.html, dead.html, measured.html, hostile.html and large.html, and gets the screenshots.
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

// What it draws of a channel that keeps the newest token alone.
async function newest(browser) {
  const page = await open(browser, "newest");
  const dashes = await page.$$eval(".channel path.line", (lines) => lines.map((line) => getComputedStyle(line).strokeDasharray));
  check("one channel of two is dashed", dashes.filter((d) => d !== "none").length === 1 && dashes.length === 2, dashes);
  check("it tells the age", (await text(page, ".channel.newest")).includes("newest, at most 60000 ms old"), await text(page, ".channel.newest"));
  await done(page, "newest");
}

const boxOf = (page, selector) => page.$$eval(selector, (all) => all.map((e) => { const b = e.getBoundingClientRect(); return [b.left, b.right]; }));

async function ports(browser) {
  const page = await open(browser, "filter");
  const processes = await boxOf(page, ".process"), inputs = await boxOf(page, ".border.input"), outputs = await boxOf(page, ".border.output");
  check("two processes and three ports", [processes.length, inputs.length, outputs.length].join() === "2,1,2");
  check("inputs at the left", inputs.every((a) => processes.every((b) => a[1] < b[0])), [inputs, processes]);
  check("outputs at the right", outputs.every((a) => processes.every((b) => a[0] > b[1])), [outputs, processes]);
  check("name and tokens", (await text(page, ".border.input")).startsWith("samplesfloat"), await text(page, ".border.input"));
  await click(page, ".border.input", "samples");
  check("facts of a port", /open input port of the network/.test(await text(page, "#panel")), await text(page, "#panel"));
  check("the port is marked", (await count(page, ".border.chosen")) === 1);
  await page.screenshot({ path: folder + "/ports.png" });
  await done(page, "ports");
}

// Does each line begin and end at a shape? Returns those that do not.
const astray = (page) => page.evaluate(() => {
  const shapes = [...document.querySelectorAll(".process > rect, .border > path")].map((e) => [e.getBBox(), e.getScreenCTM().inverse()]);
  const at = (p) => shapes.some(([b, into]) => {
    const q = p.matrixTransform(into);
    return q.x > b.x - 8 && q.x < b.x + b.width + 8 && q.y > b.y - 8 && q.y < b.y + b.height + 8;
  });
  return [...document.querySelectorAll(".channel path.line")].filter((line) => {
    const ends = [0, line.getTotalLength()].map((l) => line.getPointAtLength(l).matrixTransform(line.getScreenCTM()));
    return !ends.every(at);
  }).map((line) => line.getAttribute("d"));
});

async function parts(browser) {
  const page = await open(browser, "parts");
  const picture = () => page.$eval("#view", (view) => view.innerHTML);
  const turn = async (selector, name) => {
    const before = await page.evaluate(() => document.body.dataset.ready);
    await click(page, selector, name);
    await page.waitForFunction((old) => document.body.dataset.ready !== old || /failed/.test(document.getElementById("state").textContent), { timeout: 0 }, before);
    check("all lines end at shapes: " + name, (await astray(page)).length === 0, await astray(page));
  };
  const counts = async () => [await count(page, ".group.part"), await count(page, ".process.folded"), await count(page, ".process"), await count(page, ".channel")].join();
  const first = await picture();
  check("a frame for each part", (await counts()) === "7,0,16,28", await counts());
  check("no line is astray", (await astray(page)).length === 0, await astray(page));
  for (let i = 0; i < 5; i++) await turn(".group.part > text", "Band_");
  check("parts of parts are folded", (await counts()) === "2,5,11,18", await counts());
  await page.screenshot({ path: folder + "/parts-inner.png" });
  await turn(".group.part > text", "Left");
  check("one is folded", (await counts()) === "1,3,7,12", await counts());
  check("with its ports", /Left \(8\).*samples.*level.*mixed/.test(await page.$$eval(".folded", (all) => all.map((e) => e.textContent).join(" "))));
  await page.screenshot({ path: folder + "/parts-one.png" });
  await turn(".group.part > text", "Right");
  check("all are folded", (await counts()) === "0,2,4,8", await counts());
  await click(page, ".channel", "Divide.left");
  check("facts of what is joined", (await text(page, "#panel-title")) === "Divide.left-Left.samples", await text(page, "#panel-title"));
  await page.keyboard.press("Escape");
  await page.screenshot({ path: folder + "/parts-all.png" });
  for (const name of ["Right", "Left", "Band_", "Band_", "Band_", "Band_", "Band_"]) await turn(".process.folded", name);
  check("unfolded, it is what it was", (await picture()) === first);
  await done(page, "parts");
  const given = await open(browser, "parts-folded");
  check("folded from the beginning", (await count(given, ".process.folded")) === 2);
  await done(given, "parts-folded");
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

main([hello, newest, ports, parts, mapped, dead, measured, hostile, large]);
