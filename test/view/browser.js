// What the tests of pages share: a Chromium, pages that are opened in it, and checks that are counted.
//     node TEST.js CHROMIUM FOLDER
"use strict";
const puppeteer = require("puppeteer-core");
const [, , chromium, folder] = process.argv;
let failures = 0, checks = 0;

function check(what, holds, found) {
  checks++;
  if (holds) return;
  failures++;
  console.log("FAIL: " + what + (found === undefined ? "" : ": " + JSON.stringify(found)));
}

async function open(browser, name, scheme) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 850 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme || "light" }]);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("dialog", (dialog) => { page.problems.push("dialog"); dialog.dismiss(); });
  page.on("request", (request) => /^https?:/.test(request.url()) && page.problems.push("asks for " + request.url()));
  await page.goto("file://" + folder + "/" + name + ".html");
  await page.waitForFunction(() => document.body.dataset.ready, { timeout: 0 });
  return page;
}

const count = (page, selector) => page.$$eval(selector, (all) => all.length);
const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const click = (page, selector, name) =>
  page.$$eval(selector, (all, wanted) => {
    const found = all.find((element) => element.textContent.includes(wanted));
    found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }, name);

async function done(page, name) {
  check(name + " has no problems", page.problems.length === 0, page.problems);
  await page.close();
}

async function main(parts) {
  const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox", "--disable-gpu"], protocolTimeout: 0 });
  for (const part of parts) await part(browser);
  await browser.close();
  console.log(checks + " checks, " + failures + " failed");
  process.exit(failures ? 1 : 0);
}

module.exports = {
  check, open, count, text, click, done,
  main: (parts) => main(parts).catch((error) => { console.log("FAIL: " + error.stack); process.exit(1); }),
};
