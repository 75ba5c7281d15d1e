// What a run was like: its bottleneck, time lines of processors, fills of channels, processes and channels in numbers.
// Two runs stand one above the other, on the same scale of time. What is here is called by page.js.
"use strict";

const MOST_LISTED = 100; // processes or channels in a table
const MOST_LEVELS = 24; // channels whose fill is drawn
const LANE = 17, MOST_LANES = 6; // height of a lane; events of a row that overlap
const LEVEL = 30; // height of a channel's fill
const LEAST_SPAN = 20; // ns that may fill the width
const WIDE_ENOUGH = 34; // pixels of an event that has its name in it

// ---- a picture of what a program knows --------------------------------------------------------

const ends = new Map([["c", "process"], ["kpn", "KPN process: it blocks where it reads"], ["opencl", "kernel on a device"], ["cuda", "kernel on a device"]]);
const onDevice = (p) => p.type === "opencl" || p.type === "cuda";
// How many copies or devices of a process can be busy at once.
const atOnce = (p) => Math.max(1, onDevice(p) ? p.on.length : p.copies);

function processOfStats(p) {
  const facts = [["kind", ends.get(p.type) || "process"], ["runs on", p.on.join(", ")]];
  if (p.planned.join() !== p.on.join()) facts.push(["planned on", p.planned.join(", ")]);
  if (p.node) facts.push(["node", p.node]);
  if (p.copies > 1) facts.push(["shadow copies (S)", String(p.copies)]);
  if (p.items > 1) facts.push(["work-items (I)", String(p.items)]);
  if (p.repetitions) facts.push(["firings an iteration", String(p.repetitions)]);
  if (p.source) facts.push(["source", p.source]);
  return { name: p.process, place: p.on.join(","), device: onDevice(p), copies: atOnce(p), blocked: false, ports: [], facts, kpn: p.type === "kpn" };
}

function portOf(process, name, output, rate) {
  const found = process.ports.findIndex((port) => port.name === name && port.output === output);
  if (found >= 0) return found;
  return process.ports.push({ name, output, rate: process.kpn ? "dynamic" : String(rate) }) - 1;
}

function channelOfStats(c, processes, numbers) {
  const from = numbers.get(c.from.process), to = numbers.get(c.to.process);
  const facts = [["from", c.from.process + "." + c.from.port], ["to", c.to.process + "." + c.to.port],
    ["rates", c.rate_in + " → " + c.rate_out], ["token", c.token_bytes + " bytes"], ["placed", c.kind]];
  if (c.planned_kind !== c.kind) facts.push(["planned", c.planned_kind]);
  if (c.initial_tokens) facts.push(["initial tokens", String(c.initial_tokens)]);
  if (c.planned_capacity !== c.capacity) facts.push(["planned capacity", String(c.planned_capacity)]);
  return {
    name: c.channel, from: [from, portOf(processes[from], c.from.port, true, c.rate_in)],
    to: [to, portOf(processes[to], c.to.port, false, c.rate_out)],
    initial: String(c.initial_tokens), capacity: String(c.capacity), kind: c.kind, newest: c.kind === "newest" ? "newest" : "", witness: false, facts,
  };
}

const partOf = (ns, all) => (all > 0 ? Math.min(1, Math.max(0, ns / all)) : 0);

function runOfStats(stats) {
  const wall = stats.wall_ns, sent = new Map();
  for (const flow of stats.flows) sent.set(flow.channel, (sent.get(flow.channel) || 0) + flow.bytes);
  const processes = stats.processes.map((p) => {
    const all = wall * atOnce(p);
    return {
      firings: p.firings, firing_ns: p.firing_ns, copies: p.copies, firing: partOf(p.firing_ns, all), busy: partOf(p.busy_ns + p.device_ns, all),
      starved: partOf(p.starved_ns, wall), blocked: partOf(p.blocked_ns, wall), spread: p.spread,
      tokens_per_s: p.tokens_per_s || 0, nominal_per_s: p.nominal_per_s || 0, drift_ppm: p.drift_ppm || 0,
    };
  });
  const channels = stats.channels.map((c) => ({
    tokens: c.tokens, copied: c.bytes_copied, in_place: c.bytes_in_place, sent: sent.get(c.channel) || 0, capacity: c.capacity,
    token_waits: c.token_waits, token_wait: partOf(c.token_wait_ns, wall), space_waits: c.space_waits, space_wait: partOf(c.space_wait_ns, wall),
    lost: c.lost, oldest_ns: c.oldest_ns,
  }));
  return { file: stats.run || "this run", wall_ns: wall, limit: null, processes, channels, latencies: stats.latencies };
}

// When a run on several nodes fails, each node writes a page of its own. Other processes are not there, but channels from them are.
function withBothEnds(stats) {
  const names = new Set(stats.processes.map((p) => p.process)), has = (from, to) => names.has(from) && names.has(to);
  return {
    ...stats, channels: stats.channels.filter((c) => has(c.from.process, c.to.process)),
    latencies: stats.latencies.filter((l) => has(l.from, l.to)),
  };
}

// Of dalview, as it is; of a program, made from its statistics.
function pictureOf(given) {
  if (!given.stats) return { traces: [], ...given };
  const stats = withBothEnds(given.stats), errors = stats.nodes.filter((node) => node.error);
  const processes = stats.processes.map(processOfStats), numbers = new Map(processes.map((p, i) => [p.name, i]));
  return {
    network: stats.network, file: "", reported: true, verdict: errors.length ? "broken" : "ended", analysis: {},
    messages: [...errors.map((node) => ({ level: "error", file: "", text: (node.node ? node.node + ": " : "") + "the run ended early: " + node.error })),
      ...given.messages.map(([, level, text]) => ({ level, file: "", text }))],
    processes, channels: stats.channels.map((c) => channelOfStats(c, processes, numbers)),
    latencies: stats.latencies.map((l) => ({ from: numbers.get(l.from), to: numbers.get(l.to) })),
    runs: [runOfStats(stats)], traces: [given.timeline],
  };
}

// ---- events -----------------------------------------------------------------------------------

// Events of a row in lanes, within which none overlap: [begin, end, name, firings or bytes] of each, in order.
function makeLanes(events) {
  const lanes = [];
  for (let i = 0; i + 3 < events.length; i += 4) {
    const begin = events[i + 1], end = begin + events[i + 2];
    let lane = lanes.find((one) => one.last <= begin);
    if (!lane && lanes.length < MOST_LANES) lanes.push(lane = { last: 0, begins: [], lengths: [], names: [], amounts: [] });
    if (!lane) lane = lanes[lanes.length - 1];
    lane.last = Math.max(lane.last, end);
    lane.begins.push(begin);
    lane.lengths.push(events[i + 2]);
    lane.names.push(events[i]);
    lane.amounts.push(events[i + 3]);
  }
  return lanes.length ? lanes : [{ last: 0, begins: [], lengths: [], names: [], amounts: [] }];
}

function prepareTrace(trace) {
  const byName = new Map(picture.processes.map((p, i) => [p.name, i])), channels = new Map(picture.channels.map((c, i) => [c.name, i]));
  trace.owners = trace.names.map((name) => (byName.has(name) ? byName.get(name) : -1));
  trace.moved = trace.names.map((name) => (channels.has(name) ? channels.get(name) : -1));
  trace.lines = trace.rows.map((row) => ({
    title: row.node && !row.name.startsWith(row.node + "/") ? row.node + ": " + row.name : row.name, moves: row.moves || "", lost: row.lost, count: row.events.length / 4, lanes: makeLanes(row.events),
  }));
  trace.byChannel = new Map(trace.levels.filter((l) => channels.has(l.channel)).map((l) => [channels.get(l.channel), l.points]));
  trace.spreads = new Map();
  return trace;
}

// Firings by how long they took, from the events of a process, where statistics have none.
function spreadOfTrace(trace, process) {
  if (trace.spreads.has(process)) return trace.spreads.get(process);
  const buckets = new Map();
  for (const lane of trace.lines.filter((line) => !line.moves).flatMap((line) => line.lanes)) {
    lane.names.forEach((name, i) => {
      if (trace.owners[name] !== process || !lane.amounts[i]) return;
      const bucket = Math.floor(4 * Math.log2(Math.max(1, lane.lengths[i] / lane.amounts[i])));
      buckets.set(bucket, (buckets.get(bucket) || 0) + lane.amounts[i]);
    });
  }
  const spread = [...buckets].sort((a, b) => a[0] - b[0]).flatMap(([bucket, firings]) => [2 ** (bucket / 4), firings]);
  trace.spreads.set(process, spread);
  return spread;
}

function spreadOf(number, process) {
  const run = picture.runs[number], trace = picture.traces[number], given = run && run.processes[process].spread;
  return given && given.length ? given : trace ? spreadOfTrace(trace, process) : [];
}

// What a part of all firings did not exceed.
function quantileOf(spread, part) {
  let left = 0;
  for (let i = 1; i < spread.length; i += 2) left += part * spread[i];
  for (let i = 0; i < spread.length; i += 2) if ((left -= spread[i + 1]) <= 0) return spread[i] * 1.09;
  return 0;
}

// ---- colours ----------------------------------------------------------------------------------

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// What an event is about: a process, or the channel whose bytes are moved; null where it is none of the picture's.
function aboutOf(trace, line, name) {
  const index = line.moves ? trace.moved[name] : trace.owners[name];
  return index >= 0 ? { sort: line.moves ? "channel" : "process", index } : null;
}

// What moves bytes is pale, as it is no work of a process.
function colourOf(trace, line, name, dark) {
  const about = aboutOf(trace, line, name), hue = ((about ? about.index : name + 0.5) * 137.508 + (line.moves ? 25 : 205)) % 360;
  const [saturation, light] = line.moves ? (dark ? [22, 50] : [36, 68]) : dark ? [42, 46] : [58, 68];
  return `hsl(${hue.toFixed(0)} ${saturation}% ${light}%)`;
}

// ---- time -------------------------------------------------------------------------------------

const shown = { from: 0, to: 1, span: 1 }; // ns, of all that is drawn over time
const drawings = []; // functions
let isAsked = false;

function redrawTime() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    drawings.forEach((draw) => draw());
  });
}

function showTime(from, to) {
  const length = Math.min(shown.span, Math.max(LEAST_SPAN, to - from));
  shown.from = Math.min(Math.max(0, from), shown.span - length);
  shown.to = shown.from + length;
  redrawTime();
}

function zoomTime(factor, at) {
  const middle = at === undefined ? (shown.from + shown.to) / 2 : at;
  showTime(middle - (middle - shown.from) / factor, middle + (shown.to - middle) / factor);
}
const fitTime = () => showTime(0, shown.span);

// A canvas in pixels of the screen, with its scale of time.
function paper(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, scale: width / (shown.to - shown.from) };
}

function stepOf(width) {
  const least = (shown.to - shown.from) / Math.max(1, width / 90), power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((n) => n * power >= least);
}

function momentText(ns, step) {
  const units = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
  const [unit, size] = units.find(([, least]) => Math.max(step, shown.to / 100) >= least) || units[3];
  return (ns / size).toFixed(Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9))) + " " + unit;
}

function drawAxis(canvas) {
  const { pen, width, scale } = paper(canvas, 22), step = stepOf(width);
  pen.font = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  for (let at = Math.ceil(shown.from / step) * step; at <= shown.to; at += step) {
    const x = (at - shown.from) * scale, text = momentText(at, step);
    pen.fillStyle = variable("--line");
    pen.fillRect(x, 16, 1, 6);
    pen.fillStyle = variable("--quiet");
    if (x + pen.measureText(text).width + 4 < width) pen.fillText(text, x + 3, 13);
  }
}

// ---- a row of events --------------------------------------------------------------------------

// The first that ends behind a moment, of a lane's.
function firstBehind(lane, moment) {
  let low = 0, high = lane.begins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.begins[middle] + lane.lengths[middle] > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

// A process that is chosen stands out, and so does what is moved for a channel that is.
function isChosen(trace, line, name) {
  if (!chosen || (chosen.sort !== "process" && !line.moves)) return true;
  const about = aboutOf(trace, line, name);
  return Boolean(about) && about.sort === chosen.sort && about.index === chosen.index;
}

function drawEvent(pen, trace, line, lane, i, x, length, y, dark) {
  const name = lane.names[i], text = trace.names[name];
  pen.globalAlpha = isChosen(trace, line, name) ? 1 : 0.2;
  pen.fillStyle = colourOf(trace, line, name, dark);
  pen.fillRect(x, y + 1, Math.max(1, length - (length > 3 ? 0.7 : 0)), LANE - 2);
  if (length >= WIDE_ENOUGH) {
    pen.fillStyle = dark ? "#fff" : "#141a26";
    pen.save();
    pen.beginPath();
    pen.rect(x, y, length - 3, LANE);
    pen.clip();
    pen.fillText(shorten(text), Math.max(x, 0) + 4, y + LANE - 5);
    pen.restore();
  }
  pen.globalAlpha = 1;
}

// Events that are narrower than a pixel: how much of it they are, in the colour of the longest.
function drawMerged(pen, trace, line, merged, y, dark) {
  if (merged.x < 0 || merged.share <= 0) return;
  pen.globalAlpha = Math.min(1, 0.25 + 0.75 * merged.share) * (isChosen(trace, line, merged.name) ? 1 : 0.2);
  pen.fillStyle = colourOf(trace, line, merged.name, dark);
  pen.fillRect(merged.x, y + 1, 1, LANE - 2);
  pen.globalAlpha = 1;
}

function drawLane(paperOf, trace, line, lane, y, dark) {
  const { pen, scale } = paperOf;
  let merged = { x: -1, share: 0, longest: 0, name: 0 }, one = 0;
  for (let i = firstBehind(lane, shown.from); i < lane.begins.length && lane.begins[i] < shown.to; i++) {
    const x = (lane.begins[i] - shown.from) * scale, length = lane.lengths[i] * scale;
    if (length >= 1) {
      drawEvent(pen, trace, line, lane, i, x, length, y, dark);
      one++;
      continue;
    }
    if (Math.floor(x) !== merged.x) {
      drawMerged(pen, trace, line, merged, y, dark);
      merged = { x: Math.floor(x), share: 0, longest: -1, name: 0 };
    }
    merged.share += length;
    if (length > merged.longest) Object.assign(merged, { longest: length, name: lane.names[i] });
  }
  drawMerged(pen, trace, line, merged, y, dark);
  return one;
}

function drawLine(canvas, trace, line) {
  const height = LANE * line.lanes.length, sheet = paper(canvas, height), dark = isDark();
  sheet.pen.font = '10.5px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  canvas.dataset.drawn = String(line.lanes.reduce((sum, lane, k) => sum + drawLane(sheet, trace, line, lane, k * LANE, dark), 0));
}

function eventAt(trace, line, canvas, event) {
  const box = canvas.getBoundingClientRect(), near = (shown.to - shown.from) / box.width;
  const moment = shown.from + (event.clientX - box.left) * near, lane = line.lanes[Math.floor((event.clientY - box.top) / LANE)];
  if (!lane) return null;
  const i = firstBehind(lane, moment - near);
  return i < lane.begins.length && lane.begins[i] <= moment + near ? { lane, i } : null;
}

function tell(event, lines) {
  const tip = $("tip");
  tip.hidden = !lines;
  if (!lines) return;
  tip.replaceChildren();
  lines.forEach((text, i) => html(i ? "div" : "b", tip, text.slice(0, 300)).dir = "auto");
  tip.style.left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = Math.min(event.clientY + 16, window.innerHeight - tip.offsetHeight - 8) + "px";
}

// Firings, and how long each took; or what was moved, and how fast.
function amountText(line, amount, ns) {
  if (line.moves) return `${line.moves} of ${bytes(amount)}` + (ns > 0 ? `, ${bytes(Math.round(1e9 * amount / ns))}/s` : "");
  return `${count(amount)} firing${amount === 1 ? "" : "s"}` + (amount > 1 ? `, ${time(ns / amount)} each` : "");
}

function tellEvent(trace, line, canvas, event) {
  const found = eventAt(trace, line, canvas, event);
  if (!found) return tell(event, null);
  const { lane, i } = found;
  tell(event, [trace.names[lane.names[i]], `${time(lane.lengths[i])} from ${time(lane.begins[i])} on`, amountText(line, lane.amounts[i], lane.lengths[i])]);
}

// ---- moving in time ---------------------------------------------------------------------------

let dragged = null; // { x, from, to, width, moved }

function setUpTime(canvas, onClick) {
  canvas.addEventListener("wheel", (event) => {
    const box = canvas.getBoundingClientRect(), length = shown.to - shown.from;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (event.deltaX || event.deltaY) * length / box.width;
      showTime(shown.from + by, shown.to + by);
    } else zoomTime(Math.exp(-event.deltaY / 400), shown.from + (event.clientX - box.left) / box.width * length);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    dragged = { x: event.clientX, from: shown.from, to: shown.to, width: canvas.clientWidth, moved: false };
  });
  canvas.addEventListener("click", (event) => onClick && !canvas.wasMoved && onClick(event));
  canvas.addEventListener("dblclick", fitTime);
  canvas.addEventListener("pointerup", () => { canvas.wasMoved = Boolean(dragged && dragged.moved); });
  canvas.addEventListener("pointerleave", (event) => tell(event, null));
}

function setUpDragging() {
  window.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const by = (dragged.x - event.clientX) * (dragged.to - dragged.from) / dragged.width;
    dragged.moved = dragged.moved || Math.abs(event.clientX - dragged.x) > 3;
    if (dragged.moved) showTime(dragged.from + by, dragged.to + by);
  });
  window.addEventListener("pointerup", () => { dragged = null; });
  new ResizeObserver(redrawTime).observe($("run"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawTime);
}

// ---- what is on the page ----------------------------------------------------------------------

const titleOf = (number) => (picture.runs[number] || picture.traces[number]).file || "this run";
const runCount = () => Math.max(picture.runs.length, picture.traces.length);
const hasRun = () => !picture.live && runCount() > 0;

function bytes(number) {
  const units = [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]];
  const [unit, size] = units.find(([, least]) => number >= least) || ["bytes", 1];
  return (size === 1 ? String(number) : (number / size).toPrecision(3)) + " " + unit;
}

function section(parent, title, note) {
  const found = html("section", parent);
  html("h2", found, title);
  if (note) html("p", found, note, "aside");
  return found;
}

// A label at the left and a canvas over time.
function strip(parent, title, height, kind) {
  const row = html("div", parent, undefined, "strip " + (kind || ""));
  const label = html("span", row, title.slice(0, 500), "name");
  label.dir = "auto";
  label.title = title.slice(0, 500);
  const canvas = html("canvas", row);
  canvas.style.height = height + "px";
  return { row, label, canvas };
}

function addAxis(parent) {
  const { canvas } = strip(parent, "", 22, "axis");
  drawings.push(() => drawAxis(canvas));
  setUpTime(canvas);
}

function addTrace(parent, trace, number) {
  if (runCount() > 1) html("h3", parent, `${number + 1}  ${titleOf(number)}`).dir = "auto";
  for (const line of trace.lines) {
    const { canvas, label } = strip(parent, line.title, LANE * line.lanes.length, "line");
    label.title += `: ${count(line.count)} events` + (line.lost ? `, ${count(line.lost)} older ones are not kept` : "");
    drawings.push(() => drawLine(canvas, trace, line));
    setUpTime(canvas, (event) => {
      const found = eventAt(trace, line, canvas, event), about = found && aboutOf(trace, line, found.lane.names[found.i]);
      if (about) choose(about);
    });
    canvas.addEventListener("pointermove", (event) => tellEvent(trace, line, canvas, event));
  }
  const lost = trace.lines.reduce((sum, line) => sum + line.lost, 0);
  if (lost) html("p", parent, `The newest events: ${count(lost)} older ones are not kept (DAL_TRACE_EVENTS).`, "aside lost");
}

function addTimeLines(parent) {
  if (!picture.traces.some((trace) => trace.lines.length)) {
    section(parent, "Time line", "There is none: DAL_TRACE=t.json of the program writes one, dalview --trace=t.json draws it.").id = "no-trace";
    return;
  }
  const found = section(parent, "Time line by processor", "The wheel zooms, a drag moves, a double click shows all, a click tells of the process, or of the channel whose bytes are moved.");
  found.id = "lines";
  addAxis(found);
  picture.traces.forEach((trace, number) => addTrace(found, trace, number));
}

// ---- fills ------------------------------------------------------------------------------------

function capacityOf(number, index, points) {
  const run = picture.runs[number];
  let most = Math.max(Number(picture.channels[index].capacity), run ? run.channels[index].capacity : 0);
  for (let i = 1; i < points.length; i += 2) most = Math.max(most, points[i]);
  return most || 1;
}

// On average over the run, of its capacity.
function meanFill(trace, number, index) {
  const points = trace.byChannel.get(index) || [];
  let sum = 0;
  for (let i = 0; i + 2 < points.length; i += 2) sum += points[i + 1] * (points[i + 2] - points[i]);
  const span = points.length > 2 ? points[points.length - 2] - points[0] : 0;
  return span > 0 ? sum / span / capacityOf(number, index, points) : 0;
}

// One shape, so that there are no seams. What lies at the left of the picture is not drawn.
function drawLevel(canvas, points, capacity) {
  const height = LEVEL - 4, { pen, width, scale } = paper(canvas, height);
  pen.fillStyle = variable("--group");
  pen.fillRect(0, 0, width, height);
  pen.beginPath();
  pen.moveTo(0, height);
  let y = height;
  for (let i = 0; i < points.length && points[i] < shown.to; i += 2) {
    const x = Math.max(0, (points[i] - shown.from) * scale);
    pen.lineTo(x, y);
    y = height - points[i + 1] / capacity * (height - 1);
    pen.lineTo(x, y);
  }
  pen.lineTo(width, y);
  pen.lineTo(width, height);
  pen.fillStyle = variable("--mark");
  pen.globalAlpha = 0.75;
  pen.fill();
  pen.globalAlpha = 1;
}

function levelAt(points, moment) {
  let found = 0;
  for (let i = 0; i < points.length && points[i] <= moment; i += 2) found = points[i + 1];
  return found;
}

function addLevel(parent, number, index, title) {
  const points = picture.traces[number].byChannel.get(index) || [], capacity = capacityOf(number, index, points);
  const { canvas, label } = strip(parent, title, LEVEL - 4, "level");
  label.addEventListener("click", () => choose({ sort: "channel", index }));
  drawings.push(() => canvas.isConnected && drawLevel(canvas, points, capacity));
  setUpTime(canvas, () => choose({ sort: "channel", index }));
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect(), at = shown.from + (event.clientX - box.left) / box.width * (shown.to - shown.from);
    tell(event, [picture.channels[index].name, `${count(levelAt(points, at))} of ${count(capacity)} tokens at ${time(at)}`]);
  });
}

function addLevels(parent) {
  const traces = picture.traces.map((trace, number) => [trace, number]).filter(([trace]) => trace.byChannel.size);
  if (!traces.length) return;
  const mean = picture.channels.map((c, index) => Math.max(...traces.map(([trace, number]) => meanFill(trace, number, index))));
  const all = picture.channels.map((c, index) => index).filter((index) => traces.some(([trace]) => trace.byChannel.has(index)));
  all.sort((a, b) => mean[b] - mean[a]);
  const found = section(parent, "Fill of channels", all.length > MOST_LEVELS
    ? `The ${MOST_LEVELS} of ${count(all.length)} channels that were fullest on average; a click on another one shows its own.`
    : "The fullest first; the height is the capacity.");
  found.id = "levels";
  if (traces.every(([trace]) => [...trace.byChannel.values()].every((points) => points.length <= 4)))
    html("p", found, "The run was short: channels are looked at each 0.1 ms at most.", "aside");
  addAxis(found);
  for (const index of all.slice(0, MOST_LEVELS)) {
    for (const [trace, number] of traces)
      if (trace.byChannel.has(index)) addLevel(found, number, index, (runCount() > 1 ? number + 1 + "  " : "") + picture.channels[index].name);
  }
}

// ---- tables -----------------------------------------------------------------------------------

function bar(parent, parts) {
  const box = html("span", parent, undefined, "share");
  for (const [kind, part] of parts) {
    const piece = html("i", box, undefined, kind);
    piece.style.width = (100 * Math.max(0, Math.min(1, part))).toFixed(2) + "%";
  }
  return box;
}

// Bars over the logarithm of time, as high as firings took so long.
function drawSpread(parent, spread, width, height) {
  const svg = make("svg", { class: "spread", width, height, viewBox: `0 0 ${width} ${height}` });
  parent.appendChild(svg);
  if (!spread.length) return svg;
  const first = Math.log2(Math.max(1, spread[0])) - 0.5, last = Math.log2(Math.max(1, spread[spread.length - 2])) + 0.75;
  const scale = width / Math.max(3, last - first), most = spread.reduce((all, n, i) => (i % 2 ? Math.max(all, n) : all), 1);
  make("rect", { class: "ground", x: 0, y: height - 1, width, height: 1 }, svg);
  for (let i = 0; i < spread.length; i += 2) {
    const high = Math.max(1.5, Math.sqrt(spread[i + 1] / most) * (height - 1));
    const piece = make("rect", { x: (Math.log2(Math.max(1, spread[i])) - first) * scale, y: height - high, width: Math.max(1, scale / 4 - 0.5), height: high }, svg);
    make("title", {}, piece, `${count(spread[i + 1])} firings of about ${time(spread[i] * 1.09)}`);
  }
  return svg;
}

function linkTo(parent, what) {
  const link = html("a", parent, nameOf(what).slice(0, 500));
  link.dir = "auto";
  link.title = nameOf(what).slice(0, 500);
  link.addEventListener("click", () => choose(what));
}

function head(parent, titles) {
  const table = html("table", html("div", parent, undefined, "wide")), row = html("tr", html("thead", table));
  for (const title of titles) html("th", row, title);
  return html("tbody", table);
}

// One line a run; what it is about stands in the first one.
function addLines(body, name, write) {
  picture.runs.forEach((run, number) => {
    const row = html("tr", body, undefined, number ? "more" : "first");
    if (number === 0) {
      const cell = html("th", row);
      cell.rowSpan = picture.runs.length;
      name(cell);
    }
    if (picture.runs.length > 1) html("td", row, String(number + 1), "number");
    write(row, run, number);
  });
}

const least = (all) => (all.length > MOST_LISTED ? `The first ${MOST_LISTED} of ${count(all.length)}; the search finds the others.` : "");

function addProcesses(parent) {
  const all = picture.processes.map((p, i) => i).sort((a, b) => picture.runs[0].processes[b].firing - picture.runs[0].processes[a].firing);
  const found = section(parent, "Processes", least(all));
  found.id = "processes";
  const several = picture.runs.length > 1 ? ["run"] : [];
  const clocks = picture.runs.some((run) => run.processes.some((p) => p.tokens_per_s > 0)) ? ["tokens a second", "drift"] : [];
  const body = head(found, ["process", ...several, "runs on", "of the run", "busy", "starved", "blocked", "firings", ...clocks, "median", "99 %", "how long firings took"]);
  for (const index of all.slice(0, MOST_LISTED)) {
    addLines(body, (cell) => linkTo(cell, { sort: "process", index }), (row, run, number) => {
      const p = run.processes[index], spread = spreadOf(number, index);
      html("td", row, picture.processes[index].place, "place").dir = "auto";
      bar(html("td", row), SHARES.map(([kind, of]) => [kind, of(p)]));
      for (const part of [p.busy, p.starved, p.blocked]) html("td", row, percent(part));
      html("td", row, count(p.firings));
      if (clocks.length) {
        html("td", row, p.tokens_per_s > 0 ? p.tokens_per_s.toFixed(3) : "");
        html("td", row, p.nominal_per_s > 0 ? `${p.drift_ppm.toFixed(1)} ppm` : "");
      }
      for (const part of [0.5, 0.99]) html("td", row, spread.length ? time(quantileOf(spread, part)) : "");
      drawSpread(html("td", row), spread, 130, 20);
    });
  }
}

function addChannels(parent) {
  const moved = (i) => picture.runs[0].channels[i].copied + picture.runs[0].channels[i].in_place + picture.runs[0].channels[i].sent;
  const all = picture.channels.map((c, i) => i).sort((a, b) => moved(b) - moved(a));
  if (!all.length) return;
  const found = section(parent, "Channels: copies moved and avoided", least(all));
  found.id = "channels";
  const several = picture.runs.length > 1 ? ["run"] : [];
  const body = head(found, ["channel", ...several, "placed", "tokens", "copied", "in place", "sent", "of its bytes", "capacity", "reader waited", "writer waited"]);
  for (const index of all.slice(0, MOST_LISTED)) {
    addLines(body, (cell) => linkTo(cell, { sort: "channel", index }), (row, run) => {
      const c = run.channels[index], sum = c.copied + c.in_place + c.sent || 1;
      html("td", row, picture.channels[index].kind, "place");
      for (const text of [count(c.tokens), bytes(c.copied), bytes(c.in_place), bytes(c.sent)]) html("td", row, text);
      bar(html("td", row), [["copied", (c.copied + c.sent) / sum], ["avoided", c.in_place / sum]]);
      html("td", row, count(c.capacity));
      for (const part of [c.token_wait, c.space_wait]) html("td", row, percent(part));
    });
  }
}

function tile(parent, title, value, note) {
  const box = html("div", parent, undefined, "tile");
  html("span", box, title);
  html("b", box, value);
  if (note) html("small", box, note);
}

const total = (list, name) => list.reduce((sum, one) => sum + one[name], 0);

function addBottleneck(parent, limit) {
  const says = html("p", parent, "Bottleneck: ", "says");
  linkTo(says, { sort: limit.sort, index: limit.index });
  says.append(` ${limit.says} (${percent(limit.share)} of the run).`);
  html("p", parent, `What would help: ${limit.helps}.`, "helps");
}

function addRun(parent, run, number) {
  const card = html("article", parent);
  if (runCount() > 1) html("h3", card, `${number + 1}  ${run.file}`).dir = "auto";
  if (picture.verdict === "broken") for (const message of picture.messages) html("p", card, message.text, message.level === "error" ? "broken" : "helps").dir = "auto";
  else addBottleneck(card, run.limit);
  const tiles = html("div", card, undefined, "tiles"), copied = total(run.channels, "copied") + total(run.channels, "sent"), kept = total(run.channels, "in_place");
  tile(tiles, "took", time(run.wall_ns));
  tile(tiles, "firings", count(total(run.processes, "firings")));
  const counted = run.latencies.filter((l) => l.iterations > 0);
  if (counted.length) tile(tiles, "promises kept", `${counted.filter(isKept).length} of ${counted.length}`);
  tile(tiles, "copied", bytes(copied), "between memories or nodes");
  tile(tiles, "copies avoided", bytes(kept), copied + kept ? `${percent(kept / (copied + kept))} of all, read in place` : "");
}

function addSharesLegend(parent) {
  const list = html("p", parent, undefined, "aside keys");
  for (const [kind, text] of [["busy", "busy"], ["held", "held up in firings"], ["starved", "starved: waited for tokens"], ["blocked", "blocked: waited for space"]]) {
    html("i", list, undefined, kind);
    list.append(text);
  }
}

// Of a process or channel, in the panel.
function addRunDetails(parent, what) {
  for (let number = 0; number < runCount() && !picture.live; number++) {
    const title = runCount() > 1 ? titleOf(number) + ": " : "";
    if (what.sort === "process") {
      const spread = spreadOf(number, what.index);
      if (!spread.length) continue;
      html("h3", parent, title + "how long firings took");
      drawSpread(parent, spread, 350, 70);
      const from = spread[0], to = spread[spread.length - 2] * 1.19;
      html("p", parent, `${time(from)} to ${time(to)}; half of them up to ${time(quantileOf(spread, 0.5))}, 99 % up to ${time(quantileOf(spread, 0.99))}`);
    } else if (picture.traces[number] && picture.traces[number].byChannel.has(what.index)) {
      html("h3", parent, title + "tokens in it over time");
      addLevel(parent, number, what.index, "");
    }
  }
  redrawTime();
}

function setUpRun() {
  picture.traces.forEach(prepareTrace);
  if (!hasRun()) return;
  shown.span = Math.max(1, ...picture.traces.map((trace) => trace.span_ns));
  shown.to = shown.span;
  const body = $("run");
  if (picture.runs.length) {
    const cards = html("div", body, undefined, "cards");
    cards.id = "cards";
    picture.runs.forEach((run, number) => addRun(cards, run, number));
  }
  addTimeLines(body);
  addLevels(body);
  if (picture.runs.length) {
    addProcesses(body);
    addSharesLegend(body.lastChild);
    addChannels(body);
    addPromisesSection(body);
  }
  setUpDragging();
  $("tabs").hidden = false;
  $("tab-network").addEventListener("click", () => showTab("network"));
  $("tab-run").addEventListener("click", () => showTab("run"));
  showTab(picture.reported ? "run" : "network");
}

const inRun = () => !$("run").hidden;

function showTab(tab) {
  $("run").hidden = tab !== "run";
  $("tab-run").setAttribute("aria-pressed", String(tab === "run"));
  $("tab-network").setAttribute("aria-pressed", String(tab !== "run"));
  $("legend").hidden = tab === "run";
  redrawTime();
}
