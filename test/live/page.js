// The page of a running network in Chromium.
//     node page.js CHROMIUM URL PID SCREENSHOT
// It ends the program, and sees the page say so.
"use strict";
const puppeteer = require("puppeteer-core");
const [, , chromium, url, pid, screenshot] = process.argv;
let failures = 0;

function check(what, holds, found) {
  if (holds) return;
  failures++;
  console.log("FAIL: " + what + (found === undefined ? "" : ": " + JSON.stringify(found)));
}

/* Not by the mouse: the header moves while numbers come, and a click by coordinates may reach its neighbour. */
const press = (page, selector) => page.$eval(selector, (element) => element.click());
const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const row = (page, name) => page.$$eval("#panel tr", (rows, wanted) => {
  const found = rows.find((one) => one.firstChild.textContent === wanted);
  return found ? found.lastChild.textContent : "";
}, name);
const until = (page, what, ...more) => page.waitForFunction(what, { timeout: 0, polling: 50 }, ...more);
const click = (page, name) => page.$$eval(".process", (all, wanted) =>
  all.find((one) => one.textContent.includes(wanted)).dispatchEvent(new MouseEvent("click", { bubbles: true })), name);
/* Runs in the page. */
const rowExceeds = (wanted, least) => {
  const found = [...document.querySelectorAll("#panel tr")].find((one) => one.firstChild.textContent === wanted);
  return found && parseFloat(found.lastChild.textContent.replace(/,/g, "")) > least;
};
const number = (written) => Number(written.replace(/,/g, ""));

(async () => {
  const browser = await puppeteer.launch({ executablePath: chromium, headless: "new", args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => new URL(request.url()).origin === new URL(url).origin || /^blob:/.test(request.url()) || problems.push(request.url()));
  await page.setViewport({ width: 1400, height: 850 });
  await page.goto(url);
  await until(page, () => document.body.dataset.ready && document.getElementById("verdict").textContent === "running");
  await click(page, "Scale");
  await until(page, () => /firings/.test(document.getElementById("panel").textContent));
  const before = number(await row(page, "firings"));
  await until(page, rowExceeds, "firings", before + 100);
  await until(page, rowExceeds, "firings a second", 0);
  await until(page, rowExceeds, "waited for tokens", 5);
  check("three bars", (await page.$$(".process .bar")).length === 3);
  check("a bar has a length", (await page.$$(".process .bar .starved")).length > 0);
  check("a fill", /\d ≤ 16/.test(await page.$eval(".channel text", (label) => label.textContent)));
  check("the bottleneck has a name", /bottleneck: \w+/.test(await text(page, "#limit")), await text(page, "#limit"));
  await press(page, "#parameters");
  check("both are there", (await page.$$("#panel input")).length === 2);
  check("one with limits is a slider", (await page.$$("#panel input[type=range][min='-4'][max='20']")).length === 1);
  await page.$eval("#panel input[type=range]", (input) => { input.value = "12.5"; input.dispatchEvent(new Event("change")); });
  await until(page, () => /is changed at the end/.test(document.getElementById("panel").textContent));
  await page.reload();
  await until(page, () => document.body.dataset.ready && document.getElementById("verdict").textContent === "running");
  await press(page, "#parameters");
  await until(page, () => document.querySelector("#panel input[type=range]").value === "12.5");
  // What is promised, and whether it is kept: iterations go on, and a link can be clicked meanwhile.
  await until(page, () => document.getElementById("promises").textContent === "1 of 2 promises not kept");
  await press(page, "#promises");
  const promises = () => page.$$eval("#panel tbody tr", (rows) => rows.map((one) => [...one.children].map((cell) => cell.textContent)));
  const [kept, missed] = await promises();
  check("what is promised", kept[0] === "Source → Sink" && kept[1] === "60.0 s" && kept[2] === "99.9 %", kept);
  check("it is kept", /^0 % \(0\)$/.test(kept[6]) && kept[7] === "kept" && / ms$/.test(kept[4]) && / ms$/.test(kept[5]), kept);
  check("the other one is not", missed[0] === "Scale → Sink" && missed[2] === "100 %" && /^[1-9][0-9.]* % \(.+\)$/.test(missed[6]) && missed[7] === "not kept", missed);
  check("it is marked", (await page.$$("#panel tr.missed")).length === 1);
  await until(page, (least) => parseFloat(document.querySelector("#panel tbody tr").children[3].textContent.replace(/,/g, "")) > least, number(kept[3]) + 50);
  await page.screenshot({ path: screenshot.replace(".png", "-promises.png") });
  await press(page, "#panel tr.missed a");
  check("its process", (await text(page, "#panel-title")) === "Scale", await text(page, "#panel-title"));
  await page.$eval("#panel input", (input) => { input.value = "8"; input.dispatchEvent(new Event("change")); });
  await until(page, () => /is changed at the end/.test(document.getElementById("panel").textContent));
  await page.screenshot({ path: screenshot });
  process.kill(Number(pid), "SIGINT");
  await until(page, () => document.getElementById("verdict").textContent === "has ended");
  check("no problems", problems.length === 0, problems);
  await browser.close();
  process.exit(failures ? 1 : 0);
})().catch((error) => { console.log("FAIL: " + error); process.exit(1); });
