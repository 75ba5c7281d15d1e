// Promises of latencies, and how long iterations took in each run. What is here is called by page.js and run.js.
"use strict";

// By the rule of the runtime (dal_latency_is_kept of rt/host/latency.c): at most four decimals of a percentile count.
const isKept = (latency) => 1e6 * latency.misses <= Math.round(1e4 * (100 - latency.percentile)) * latency.iterations;
const isMissed = (latency) => latency.iterations > 0 && !isKept(latency);
const latePart = (latency) => `${Number((100 * latency.misses / latency.iterations).toPrecision(3))} % (${count(latency.misses)})`;

// Titles of columns, and what is in them. Nothing is told of a run that has counted no iteration.
const promiseColumns = [
  ["allowed", (l) => (l.allowed_ns ? time(l.allowed_ns) : "")],
  ["percentile", (l) => (l.percentile ? l.percentile + " %" : "")],
  ["iterations", (l) => count(l.iterations) + (l.lost ? ` and ${count(l.lost)} not counted` : "")],
  ["at the percentile", (l) => (l.iterations ? time(l.percentile_ns) : "")],
  ["maximum", (l) => (l.iterations ? time(l.max_ns) : "")],
  ["late", (l) => (l.iterations ? latePart(l) : "")],
  ["", (l) => (l.iterations ? (isKept(l) ? "kept" : "not kept") : "")],
];

// Adds a table, and returns a function that fills it with the numbers of now. Rows stay, so a link can be clicked meanwhile.
function addPromises(parent) {
  const several = picture.runs.length > 1 ? ["run"] : [], rows = [];
  const body = head(parent, ["from → to", ...several, ...promiseColumns.map(([title]) => title)]);
  picture.latencies.slice(0, MOST_LISTED).forEach((promise, index) => {
    const name = (cell) => {
      cell.className = "promise";
      linkTo(cell, { sort: "process", index: promise.from });
      cell.append(" → ");
      linkTo(cell, { sort: "process", index: promise.to });
    };
    addLines(body, name, (row, run, number) => rows.push({ row, number, index, cells: promiseColumns.map(() => html("td", row)) }));
  });
  return () => {
    for (const { row, number, index, cells } of rows) {
      const latency = picture.runs[number].latencies[index];
      promiseColumns.forEach(([, write], i) => { cells[i].textContent = write(latency); });
      row.classList.toggle("missed", isMissed(latency));
    }
  };
}

// In the header: whether all are kept so far.
function showPromises() {
  const counted = picture.latencies.filter((promise, i) => picture.runs.some((run) => run.latencies[i].iterations > 0)).length;
  const missed = picture.latencies.filter((promise, i) => picture.runs.some((run) => isMissed(run.latencies[i]))).length;
  const all = picture.latencies.length, name = all > 1 ? "promises" : "promise";
  $("promises").hidden = !all || !picture.runs.length;
  $("promises").classList.toggle("missed", missed > 0);
  $("promises").textContent = missed ? `${all > 1 ? `${missed} of ${all} ` : ""}${name} not kept` : counted ? `${name} kept` : name;
}

function openPromises() {
  const fill = addPromises(openPanel("Promises", "broad"));
  fill();
  refresh = fill;
}

// Of runs that have ended, in their view.
function addPromisesSection(parent) {
  if (!picture.latencies.length) return;
  const found = section(parent, "Promises", least(picture.latencies));
  found.id = "promised";
  addPromises(found)();
}
