// Opens pages of runs in Chromium and uses them as a person would.
//     node report.js CHROMIUM FOLDER
// FOLDER has report.html, two.html, plain.html, hostile.html, many.html, moved.html and dead.html, and gets the screenshots.
"use strict";
const fs = require("fs");
const { check, open, count, text, click, done, main } = require("./browser.js");
const folder = process.argv[3];

const shownTime = (page) => page.evaluate(() => shown.to - shown.from);
const frames = (page) => page.evaluate(() => new Promise((after) => requestAnimationFrame(() => requestAnimationFrame(after))));
// Whether something is drawn in a canvas that is not the ground.
const isDrawn = (page, selector, number = 0) => page.$$eval(selector, (all, k) => {
  const { data } = all[k].getContext("2d").getImageData(0, 0, all[k].width, all[k].height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) colours.add(data[i] + " " + data[i + 1] + " " + data[i + 2] + " " + data[i + 3]);
  return colours.size;
}, number);

const promises = (page) => page.$$eval("#promised tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).join("|")));

async function report(browser) {
  for (const scheme of ["light", "dark"]) {
    const page = await open(browser, "report", scheme);
    check("it has run", (await text(page, "#verdict")) === "has run");
    check("the run is shown first", !(await page.$eval("#run", (run) => run.hidden)));
    check("the bottleneck by name", /^Bottleneck: \S+ /.test(await text(page, "#cards")), await text(page, "#cards"));
    check("what would help", /What would help: /.test(await text(page, "#cards")));
    check("copies avoided", /copies avoided\d/.test(await text(page, "#cards")));
    check("a line for each processor", (await count(page, "#lines .line")) === 2);
    check("a fill for each channel", (await count(page, "#levels .level")) === 2);
    check("a row for each process", (await count(page, "#processes tbody tr")) === 3);
    check("no clocks", !/drift/.test(await text(page, "#processes")));
    check("how long firings took", (await count(page, "#processes .spread rect:not(.ground)")) >= 3);
    check("a row for each channel", (await count(page, "#channels tbody tr")) === 2);
    const [kept, missed, ...others] = await promises(page);
    check("a promise that is kept", /^Square → Consumer\|60\.0 s\|99\.5 %\|\d+\|[^|]+s\|[^|]+s\|0 % \(0\)\|kept$/.test(kept), kept);
    check("one that is not", /^Producer → Consumer\|1\.00 us\|100 %\|5\|[^|]+s\|[^|]+s\|100 % \(5\)\|not kept$/.test(missed) && !others.length, missed);
    check("it is marked", (await page.$$eval("#promised tr.missed", (rows) => rows.map((row) => row.textContent).join())).startsWith("Producer"));
    check("how many are kept", /promises kept1 of 2/.test(await text(page, "#cards")), await text(page, "#cards"));
    check("the same in the header", (await text(page, "#promises")) === "1 of 2 promises not kept", await text(page, "#promises"));
    await page.click("#promises");
    check("and its table", (await text(page, "#panel-title")) === "Promises" && (await count(page, "#panel tr.missed")) === 1);
    await frames(page);
    check("events are drawn", Math.max(await isDrawn(page, "#lines .line canvas", 0), await isDrawn(page, "#lines .line canvas", 1)) > 2);
    await click(page, "#processes a", "Square");
    check("facts of a process", (await text(page, "#panel-title")) === "Square" && /runs oncore_0/.test(await text(page, "#panel")));
    check("its firings", /half of them up to/.test(await text(page, "#panel")));
    await page.click("#tab-network");
    check("the network", (await page.$eval("#run", (run) => run.hidden)) && (await count(page, ".process")) === 3 && (await count(page, ".channel")) === 2);
    check("its ports", /Square.*in.*out/.test(await text(page, "#view")), await text(page, "#view"));
    await page.screenshot({ path: folder + "/report-" + scheme + ".png" });
    await done(page, "report");
  }
}

async function two(browser) {
  const page = await open(browser, "two");
  check("the network is shown first", await page.$eval("#run", (run) => run.hidden));
  await page.click("#tab-run");
  await frames(page);
  check("two runs side by side", (await count(page, "#cards article")) === 2);
  check("a line for each processor of each run", (await count(page, "#lines .line")) === 4);
  check("fills of both", (await count(page, "#levels .level")) === 4);
  check("processes of both", (await count(page, "#processes tbody tr")) === 6);
  check("promises of both", (await promises(page)).length === 4 && (await count(page, "#promised tr.missed")) === 2, await promises(page));
  const all = await shownTime(page), canvas = await page.$("#lines .line canvas"), box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 5);
  await page.mouse.wheel({ deltaY: -500 });
  await page.waitForFunction((old) => shown.to - shown.from < old / 2, { timeout: 0 }, all);
  const from = await page.evaluate(() => shown.from);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 200, box.y + 5, { steps: 4 });
  await page.mouse.up();
  check("a drag moves", (await page.evaluate(() => shown.from)) > from);
  await page.keyboard.press("0");
  check("0 shows all", (await shownTime(page)) === all);
  await page.click("#in");
  check("+ zooms", (await shownTime(page)) < all);
  await page.click("#fit");
  await page.screenshot({ path: folder + "/two.png" });
  await done(page, "two");
}

// A click and the cursor on an event that fills the middle of a line.
async function dead(browser) {
  const page = await open(browser, "dead", "dark");
  check("it ended early", (await text(page, "#verdict")) === "ended early");
  check("why", /deadlock.*process one waits for 1 token of channel back/.test(await text(page, "#cards")), await text(page, "#cards"));
  check("nothing is promised", (await count(page, "#promised")) === 0 && (await page.$eval("#promises", (button) => button.hidden)));
  check("no bottleneck of it", (await page.$eval("#limit", (limit) => limit.hidden)) && !/Bottleneck/.test(await text(page, "#cards")));
  const canvas = await page.$("#lines .line canvas"), box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 8);
  check("what is under the cursor", /^one.* from .*1 firing$/.test(await text(page, "#tip")), await text(page, "#tip"));
  await page.mouse.click(box.x + box.width / 2, box.y + 8);
  check("a click chooses it", (await text(page, "#panel-title")) === "one");
  await page.screenshot({ path: folder + "/dead-run.png" });
  await done(page, "dead");
}

async function plain(browser) {
  const page = await open(browser, "plain");
  await page.click("#tab-run");
  check("no trace is no error", /DAL_TRACE/.test(await text(page, "#no-trace")) && (await count(page, "#processes tbody tr")) === 3);
  check("a clock that drifts", /drift.*408\.000\s*-20000\.0 ppm/s.test(await text(page, "#processes")), await text(page, "#processes"));
  const [kept, missed] = await promises(page);
  check("a file without percentiles", /\|100 %\|\d+\|2\.50 ms\|2\.50 ms\|0 % \(0\)\|kept$/.test(kept) && /\|100 %\|5\|2\.50 ms\|2\.50 ms\|100 % \(5\)\|not kept$/.test(missed), [kept, missed]);
  await done(page, "plain");
}

async function hostile(browser) {
  const page = await open(browser, "hostile");
  await page.click("#tab-run");
  await frames(page);
  check("no script of a name has run", await page.evaluate(() => window.hit === undefined));
  check("no element of a name", (await count(page, "#run img, #run b:not(.tile b), #run script")) === 0);
  const names = await page.$$eval("#lines .name", (all) => all.map((element) => element.textContent));
  check("a processor is text", names.some((name) => name.includes("<script>window.hit=1</script>")), names);
  check("quotes are", names.some((name) => name.includes("\"'&amp;")), names);
  check("right to left stays its own", (await page.$$eval("#lines .name", (all) => all.every((element) => element.dir === "auto"))) && names.some((name) => name.includes("\u05d0\u05d1")));
  const boxes = await page.$$eval("#lines .strip", (all) => all.map((element) => element.getBoundingClientRect().right));
  check("10 KB are no wider than others", Math.max(...boxes) <= 1400, boxes);
  const canvases = await page.$$("#lines .line canvas");
  for (const canvas of canvases) {
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    check("nothing of a tip is markup", (await count(page, "#tip *:not(b):not(div)")) === 0);
    check("the tip has a name", (await text(page, "#tip")).length > 10, await text(page, "#tip"));
    check("the tip stays in the window", await page.$eval("#tip", (tip) => { const at = tip.getBoundingClientRect(); return at.right <= innerWidth && at.bottom <= innerHeight; }));
  }
  check("a channel's fill", (await count(page, "#levels .level")) === 1 && /<b>c0<\/b>/.test(await text(page, "#levels .level .name")));
  await page.screenshot({ path: folder + "/hostile-run.png" });
  await done(page, "hostile");
}

// A hundred thousand events: merged by pixel when all are shown, one by one when few are.
async function many(browser) {
  const page = await open(browser, "many");
  await page.click("#tab-run");
  await frames(page);
  const drawnNow = () => page.$eval("#lines .line canvas", (canvas) => Number(canvas.dataset.drawn));
  check("all are there", (await page.evaluate(() => picture.traces[0].lines.reduce((sum, line) => sum + line.count, 0))) === 100000);
  check("merged", (await drawnNow()) === 0 && (await isDrawn(page, "#lines .line canvas")) > 2, await drawnNow());
  check("those that are lost", /7 older ones are not kept/.test(await text(page, "#lines .lost")));
  await page.evaluate(() => showTime(shown.span / 2, shown.span / 2 + 20000));
  await frames(page);
  const few = await drawnNow();
  check("one by one", few >= 15 && few <= 25, few);
  await page.screenshot({ path: folder + "/many.png" });
  await done(page, "many");
}

// Bytes that were moved: how many, how fast, and for which channel.
async function moved(browser) {
  const page = await open(browser, "moved");
  await page.click("#tab-run");
  await frames(page);
  const box = await (await page.$$("#lines .line canvas"))[1].boundingBox();
  await page.mouse.move(box.x + box.width / 4, box.y + 8);
  check("what was moved", /^numbers1\.00 ms from .*upload of 2\.00 MB, 2\.00 GB\/s$/.test(await text(page, "#tip")), await text(page, "#tip"));
  check("it is drawn", (await isDrawn(page, "#lines .line canvas", 1)) > 1);
  await page.mouse.click(box.x + box.width / 4, box.y + 8);
  check("a click chooses the channel", (await text(page, "#panel-title")) === "numbers");
  check("it is no firing", (await page.evaluate(() => spreadOf(0, picture.processes.findIndex((p) => p.name === "Square")).filter((_, i) => i % 2).reduce((a, b) => a + b, 0))) === 2);
  await page.screenshot({ path: folder + "/moved.png" });
  await done(page, "moved");
}

// Makes a page of the report with other statistics.
function plant(name, change) {
  const page = fs.readFileSync(folder + "/report.html", "utf8"), [, before, json, behind] = /^([^]*id="picture"[^>]*>)([^]*?)(<\/script>[^]*)$/.exec(page);
  const given = JSON.parse(json);
  change(given.stats);
  fs.writeFileSync(`${folder}/${name}.html`, before + JSON.stringify(given).replace(/</g, "\\u003c") + behind);
}

// A run of a second, of whose processes so many nanoseconds are known; Consumer does nothing.
const second = (stats, on, producer, square, wait) => {
  stats.wall_ns = 1e9;
  for (const p of stats.processes) Object.assign(p, { on, planned: on, firing_ns: 0, busy_ns: 0, device_ns: 0, starved_ns: 0, blocked_ns: 0 });
  for (const c of stats.channels) Object.assign(c, { token_wait_ns: 0, space_wait_ns: 0 });
  const of = (list, member, name) => list.find((one) => one[member] === name);
  Object.assign(of(stats.processes, "process", "Producer"), { ...producer, blocked_ns: wait });
  Object.assign(of(stats.processes, "process", "Square"), { ...square, starved_ns: wait });
  Object.assign(of(stats.channels, "channel", "numbers"), { token_wait_ns: wait, space_wait_ns: wait });
};

// The page of a node when the run has failed, which does not know the processes of others.
async function apart(browser) {
  plant("apart", (stats) => {
    stats.nodes = [{ node: "left", wall_ns: stats.wall_ns, clock_error_ns: 0, events_ignored: 0, error: "another node has ended" }];
    stats.processes = stats.processes.filter((p) => p.process !== "Producer");
  });
  const page = await open(browser, "apart");
  check("why a node has ended", /left: the run ended early: another node/.test(await text(page, "#cards")), await text(page, "#cards"));
  check("its own processes", (await count(page, "#processes tbody tr")) === 2);
  check("a channel from another node is left out", (await count(page, "#channels tbody tr")) === 1);
  check("a promise of it, too", (await promises(page)).length === 1, await promises(page));
  await done(page, "apart");
}

async function cuda(browser) {
  const half = { firing_ns: 1e9, device_ns: 5e8 };
  plant("cuda", (stats) => second(stats, ["cuda_0", "cuda_1"], {}, { type: "cuda", copies: 1, ...half }, 0));
  const page = await open(browser, "cuda");
  const [square] = await page.evaluate(() => picture.runs[0].processes.filter((p, i) => picture.processes[i].name === "Square"));
  check("both devices of CUDA can be busy", square.firing === 0.5 && square.busy === 0.25, square);
  await click(page, "#processes a", "Square");
  check("a kernel in CUDA is one", /kindkernel on a device/.test(await text(page, "#panel")), await text(page, "#panel"));
  await page.click("#tab-network");
  check("and is drawn as one", (await count(page, ".process.device")) === 1);
  await done(page, "cuda");
}

// Two processes that fire in turns keep one core busy, but not two.
async function limits(browser) {
  const half = { firing_ns: 5e8, busy_ns: 5e8 }, of = async (name, fits) => {
    const page = await open(browser, name);
    check("the bottleneck: " + name, fits.test(await text(page, "#cards")), await text(page, "#cards"));
    await done(page, name);
  };
  plant("one-core", (stats) => second(stats, ["core_0"], half, half, 5e8));
  plant("two-cores", (stats) => second(stats, ["core_0", "core_1"], half, half, 5e8));
  plant("copies", (stats) => second(stats, ["core_0", "core_1"], { firing_ns: 2e8, busy_ns: 2e8 }, { copies: 2, firing_ns: 15e8, busy_ns: 15e8 }, 0));
  await of("one-core", /^Bottleneck: (Producer|Square) fired longest on processors/);
  await of("two-cores", /^Bottleneck: numbers was full and empty in turns/);
  await of("copies", /^Bottleneck: Square fired all the time/);
}

main([report, two, dead, plain, hostile, many, moved, apart, cuda, limits]);
