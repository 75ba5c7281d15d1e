// The page of dalview. All text of a network is set as text, never as markup.
"use strict";

const picture = pictureOf(JSON.parse(document.getElementById("picture").textContent));
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const LARGE = 300; // processes, from which on nothing but structure is laid out
const MOST_SHOWN = 40; // characters of a name in the picture
const BAR = 9; // height of what a run has of a process
// Parts of a run, in the order of a bar: at work in firings, in firings but not at work, waiting.
const SHARES = [
  ["busy", (p) => p.busy], ["held", (p) => Math.max(0, p.firing - p.busy)],
  ["starved", (p) => p.starved], ["blocked", (p) => p.blocked],
];
const folded = new Set(picture.processes.flatMap((p) => (p.folded || []).map((part) => "part " + part))); // keys of frames
const live = picture.live; // of a running network: the names of its numbers
if (live) picture.runs.push(emptyRun());
let refresh = () => {}; // what the panel has of a run that goes on
let inputs = []; // of live parameters, each with what shows the value of now
let drawn = { nodes: new Map(), edges: new Map(), width: 1, height: 1 };
let chosen = null;

// Of a running network, until the first numbers come.
function emptyRun() {
  const none = (names) => Object.fromEntries(names.map((name) => [name, 0]));
  return {
    file: "now", wall_ns: 0, limit: { sort: "process", index: -1, share: 0, says: "", helps: "" },
    processes: picture.processes.map(() => none(["firing", "busy", "starved", "blocked", "firings", "firing_ns", "rate", "in_use"])),
    channels: picture.channels.map(() => none(["tokens", "rate", "copied", "in_place", "fill", "capacity", "token_waits", "token_wait", "space_waits", "space_wait", "lost", "oldest_ns"])),
    latencies: picture.latencies.map((promise) => ({ ...promise, ...none(live.latency) })),
  };
}

// ---- elements -------------------------------------------------------------------------------

function make(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}

function html(name, parent, text, kind) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (kind) element.className = kind;
  if (parent) parent.appendChild(element);
  return element;
}

function shorten(name) {
  const characters = Array.from(name.slice(0, 4 * MOST_SHOWN));
  return characters.length <= MOST_SHOWN ? name : characters.slice(0, MOST_SHOWN - 1).join("") + "…";
}

const ruler = document.createElement("canvas").getContext("2d");
function widthOf(text, font) {
  ruler.font = font + ' system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  return ruler.measureText(text).width;
}

// ---- what is laid out -----------------------------------------------------------------------

// Frames: places, and in them parts, which are networks within the network. A process "Left.Eq.Band" is in the part Left.Eq, and
// that in Left. A part on two places has a frame in each, and they are folded together. Open ports are at the border, in no frame.
const frames = [], whole = { up: null, children: new Map() };
const frameOf = picture.processes.map((p, index) => {
  let at = whole;
  if (!p.border) {
    if (p.place) at = frameIn(at, "place " + p.place, p.place);
    for (let dot = p.name.indexOf(".", 1), from = 0; dot > 0; from = dot + 1, dot = p.name.indexOf(".", from + 1))
      at = frameIn(at, "part " + p.name.slice(0, dot), p.name.slice(from, dot));
  }
  at.children.set("process " + index, { index });
  return at;
});

function frameIn(up, key, title) {
  if (!up.children.has(key)) {
    const frame = { id: "g" + frames.length, key, title, part: key.startsWith("part ") ? key.slice(5) : null, up, children: new Map() };
    up.children.set(key, frame);
    frames.push(frame);
  }
  return up.children.get(key);
}

const isLarge = () => picture.processes.length > LARGE;
const ownName = (process) => (process.border ? process.name : process.name.slice(process.name.lastIndexOf(".") + 1) || process.name);
const countIn = (frame) => [...frame.children.values()].reduce((sum, child) => sum + (child.children ? countIn(child) : 1), 0);

// The outermost frame around a process that is folded; null without.
function boxOf(index) {
  let box = null;
  for (let frame = frameOf[index]; frame.up; frame = frame.up) if (folded.has(frame.key)) box = frame;
  return box;
}

const nodeOfProcess = (index) => (boxOf(index) || { id: "p" + index }).id;

function sizeOfProcess(process) {
  const inputs = process.ports.filter((port) => !port.output);
  const outputs = process.ports.filter((port) => port.output);
  const widest = (ports) => Math.max(0, ...ports.map((port) => widthOf(shorten(port.name), "10px")));
  const name = widthOf(shorten(ownName(process)), "600 12.5px");
  const ports = isLarge() ? 0 : widest(inputs) + widest(outputs);
  return {
    width: Math.max(70, name + 28, ports + 34),
    height: 30 + (isLarge() ? 0 : 15 * Math.max(inputs.length, outputs.length, 1)) + BAR * picture.runs.length,
  };
}

function layoutProcess(process, index) {
  const size = sizeOfProcess(process);
  const node = { id: "p" + index, ...size };
  if (isLarge()) return node;
  const counts = [0, 0];
  node.ports = process.ports.map((port, k) => ({
    id: "p" + index + "." + k,
    width: 6,
    height: 6,
    x: port.output ? size.width - 3 : -3,
    y: 31 + 15 * counts[port.output ? 1 : 0]++,
    layoutOptions: { "elk.port.side": port.output ? "EAST" : "WEST" },
  }));
  node.layoutOptions = { "elk.portConstraints": "FIXED_POS" };
  return node;
}

// An open port: an arrow with its name and its tokens.
function layoutBorder(process, index) {
  const width = Math.max(widthOf(shorten(process.name), "600 11px"), widthOf(shorten(process.tokens), "10px")) + 26, height = 34;
  const input = process.border === "input";
  return {
    id: "p" + index, width, height,
    ports: [{
      id: "p" + index + ".0", width: 0, height: 0, x: input ? width : 0, y: height / 2,
      layoutOptions: { "elk.port.side": input ? "EAST" : "WEST" },
    }],
    layoutOptions: { "elk.portConstraints": "FIXED_POS", "elk.layered.layering.layerConstraint": input ? "FIRST" : "LAST" },
  };
}

const foldedTitle = (frame) => "▸ " + shorten(frame.title) + " (" + countIn(frame) + ")";

// A folded frame is a box. That of a part has ports as a process has.
function layoutBox(frame, ports) {
  const [inputs, outputs] = [false, true].map((output) => ports.filter((port) => port.output === output));
  const widest = (some) => Math.max(0, ...some.map((port) => widthOf(shorten(port.name), "10px")));
  const width = Math.max(widthOf(foldedTitle(frame), "600 12.5px") + 40, widest(inputs) + widest(outputs) + 34);
  const node = { id: frame.id, width, height: ports.length ? 32 + 15 * Math.max(inputs.length, outputs.length) : 46 };
  if (!ports.length) return node;
  node.ports = [inputs, outputs].flatMap((some, side) => some.map((port, k) => ({
    id: port.id, name: port.name, output: port.output, width: 6, height: 6, x: side ? width - 3 : -3, y: 33 + 15 * k,
    layoutOptions: { "elk.port.side": side ? "EAST" : "WEST" },
  })));
  node.layoutOptions = { "elk.portConstraints": "FIXED_POS" };
  return node;
}

function layoutFrame(frame, portsOf) {
  if (folded.has(frame.key)) return layoutBox(frame, portsOf.get(frame.id) || []);
  return {
    id: frame.id,
    children: layoutChildren(frame, portsOf),
    layoutOptions: {
      "elk.padding": "[top=34,left=16,bottom=16,right=16]",
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": "(" + (widthOf(shorten(frame.title), "600 12px") + 60) + ",60)",
    },
  };
}

function layoutChildren(frame, portsOf) {
  return [...frame.children.values()].map((child) => {
    if (child.children) return layoutFrame(child, portsOf);
    const process = picture.processes[child.index];
    return process.border ? layoutBorder(process, child.index) : layoutProcess(process, child.index);
  });
}

function channelLabel(channel) {
  const parts = [];
  if (channel.newest) parts.push(channel.newest);
  else if (channel.capacity !== "0") parts.push("≤ " + channel.capacity);
  if (channel.initial !== "0") parts.push("● " + channel.initial);
  return parts.join("   ");
}

// The port of a part at which a channel leaves it, or enters it; undefined if that is not known.
function crossing(channel, part, output) {
  const lines = (channel.through || "").split("\n").filter((line) => line.startsWith(part + ".") && !line.includes(".", part.length + 1));
  return lines.length ? lines[output ? 0 : lines.length - 1].slice(part.length + 1) : undefined;
}

// Where a channel begins or ends: at a port of a process, or of a box, which is added to those of the box.
function endOf(channel, output, portsOf) {
  const [index, number] = output ? channel.from : channel.to, process = picture.processes[index], box = boxOf(index);
  if (!box) return !isLarge() || process.border ? `p${index}.${number}` : "p" + index;
  if (box.part === null) return box.id;
  const inside = process.name.slice(box.part.length + 1) + "." + process.ports[number].name;
  const name = crossing(channel, box.part, output) || inside;
  if (!portsOf.has(box.id)) portsOf.set(box.id, []);
  const ports = portsOf.get(box.id);
  const found = ports.find((port) => port.name === name && port.output === output);
  if (found) return found.id;
  ports.push({ id: `${box.id}.${ports.length}`, name, output });
  return ports[ports.length - 1].id;
}

// Channels that are one outside of the boxes are one edge; what does not leave a box is none.
function layoutChannels(portsOf) {
  const edges = new Map();
  picture.channels.forEach((channel, index) => {
    const box = boxOf(channel.from[0]);
    if (box && box === boxOf(channel.to[0]) && (box.part === null || !crossing(channel, box.part, true))) return;
    const ends = [endOf(channel, true, portsOf), endOf(channel, false, portsOf)];
    const into = boxOf(channel.to[0]), key = into && into.part !== null ? channel.from.join() + ends.join() : String(index);
    if (edges.has(key)) edges.get(key).channels.push(index);
    else edges.set(key, { id: "c" + index, channels: [index], sources: [ends[0]], targets: [ends[1]] });
  });
  for (const edge of edges.values()) {
    const label = isLarge() ? "" : channelLabel(picture.channels[edge.channels[0]]);
    if (label) edge.labels = [{ text: label, width: widthOf(label, "10.5px") + 4, height: 14 }];
  }
  return [...edges.values()];
}

function layoutGraph() {
  const portsOf = new Map(), edges = layoutChannels(portsOf); // ports of boxes, by id
  const options = {
    "elk.algorithm": "layered",
    "elk.direction": "RIGHT",
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.hierarchyHandling": "INCLUDE_CHILDREN",
    "elk.layered.spacing.nodeNodeBetweenLayers": "56",
    "elk.spacing.nodeNode": "28",
    "elk.spacing.edgeNode": "16",
    "elk.layered.spacing.edgeNodeBetweenLayers": "16",
    "elk.padding": "[top=20,left=20,bottom=20,right=20]",
    "elk.separateConnectedComponents": String(!picture.processes.some((p) => p.border)),
    "elk.aspectRatio": "1.7",
  };
  if (isLarge()) {
    options["elk.layered.thoroughness"] = "2";
    options["elk.layered.nodePlacement.strategy"] = "SIMPLE";
    options["elk.layered.crossingMinimization.greedySwitch.type"] = "OFF";
  }
  return { id: "root", layoutOptions: options, children: layoutChildren(whole, portsOf), edges };
}

let workerUrl = null;
const elk = new ELK({
  workerUrl: "inline",
  workerFactory: () => {
    workerUrl = workerUrl || URL.createObjectURL(new Blob([$("elk-worker").textContent], { type: "text/javascript" }));
    return new Worker(workerUrl);
  },
});

// ---- drawing --------------------------------------------------------------------------------

function drawPort(group, name, port, side) {
  make("circle", { cx: port.x + 3, cy: port.y + 3, r: 3 }, group);
  make("text", {
    class: "port", x: side ? port.x - 4 : port.x + 10, y: port.y + 6.5, "text-anchor": side ? "end" : "start",
  }, group, shorten(name));
}

// One bar a run: busy from the left, then what it waited.
function drawBar(group, node, run, number, index) {
  const y = node.height - BAR * (picture.runs.length - number) - 1, width = node.width - 16;
  const bar = make("g", { class: "bar" }, group);
  make("rect", { class: "all", x: 8, y, width, height: 5 }, bar);
  let x = 8;
  for (const [share, of] of SHARES) {
    const length = Math.min(of(run.processes[index]) * width, 8 + width - x);
    if (length > 0) make("rect", { class: share, x, y, width: length, height: 5 }, bar);
    x += length;
  }
}

const isLimit = (sort, index) => picture.runs.some((run) => run.limit.sort === sort && run.limit.index === index);

function drawBorder(process, node, parent) {
  const { width: w, height: h } = node, kinds = ["border", process.border, isLimit("process", Number(node.id.slice(1))) ? "limit" : ""];
  const group = make("g", { class: kinds.filter(Boolean).join(" "), transform: `translate(${node.x},${node.y})` }, parent);
  make("path", { d: `M0,0H${w - 9}L${w},${h / 2}L${w - 9},${h}H0Z` }, group);
  make("text", { class: "label", x: (w - 7) / 2, y: 15 }, group, shorten(process.name));
  make("text", { class: "tokens", x: (w - 7) / 2, y: 28 }, group, shorten(process.tokens));
  make("title", {}, group, process.name.slice(0, 500));
  return group;
}

function drawProcess(node, parent) {
  const index = Number(node.id.slice(1));
  const process = picture.processes[index];
  if (process.border) return drawBorder(process, node, parent);
  const kinds = ["process", process.device ? "device" : "", process.blocked ? "blocked" : "",
    isLimit("process", index) ? "limit" : ""].filter(Boolean);
  const group = make("g", { class: kinds.join(" "), transform: `translate(${node.x},${node.y})` }, parent);
  make("rect", { width: node.width, height: node.height }, group);
  make("text", { class: "label", x: node.width / 2, y: 20 }, group, shorten(ownName(process)));
  make("title", {}, group, process.name.slice(0, 500));
  (node.ports || []).forEach((port, k) => drawPort(group, process.ports[k].name, port, process.ports[k].output));
  picture.runs.forEach((run, number) => drawBar(group, node, run, number, index));
  return group;
}

const frameOfNode = (node) => frames[Number(node.id.slice(1))];

function drawFolded(node, parent) {
  const frame = frameOfNode(node);
  const group = make("g", { class: "process folded", transform: `translate(${node.x},${node.y})` }, parent);
  make("rect", { width: node.width, height: node.height }, group);
  make("text", { class: "label", x: node.width / 2, y: node.ports ? 20 : 28 }, group, foldedTitle(frame));
  make("title", {}, group, (frame.part || frame.title).slice(0, 500));
  for (const port of node.ports || []) drawPort(group, port.name, port, port.output);
  group.addEventListener("click", () => fold(frame.key));
  return group;
}

function drawFrame(node, parent) {
  const frame = frameOfNode(node);
  const group = make("g", { class: frame.part === null ? "group" : "group part", transform: `translate(${node.x},${node.y})` }, parent);
  make("rect", { width: node.width, height: node.height }, group);
  const title = make("text", { x: 14, y: 22 }, group, "▾ " + shorten(frame.title));
  title.addEventListener("click", () => fold(frame.key));
  return group;
}

function drawNode(node, parent, left, top) {
  const x = left + node.x, y = top + node.y;
  let element;
  if (node.id[0] === "p") {
    element = drawProcess(node, parent);
    element.addEventListener("click", () => choose({ sort: "process", index: Number(node.id.slice(1)) }));
  } else if (folded.has(frameOfNode(node).key)) element = drawFolded(node, parent);
  else element = drawFrame(node, parent);
  drawn.nodes.set(node.id, { element, x, y, width: node.width, height: node.height });
  for (const child of node.children || []) drawNode(child, element, x, y);
}

// Where the coordinates of an edge begin: at its container.
function originOf(edge) {
  const container = drawn.nodes.get(edge.container);
  return container ? [container.x, container.y] : [0, 0];
}

const pathOf = (section) =>
  [section.startPoint, ...(section.bendPoints || []), section.endPoint].map((p, i) => (i ? "L" : "M") + p.x + "," + p.y).join("");

function drawEdge(edge, parent) {
  const index = Number(edge.id.slice(1));
  const channel = picture.channels[index];
  const [x, y] = originOf(edge);
  const kinds = ["channel", edge.channels.some((c) => picture.channels[c].witness) ? "witness" : "", /staged|naive|copied|remote/.test(channel.kind) ? "copied" : "",
    channel.newest ? "newest" : "", edge.channels.some((c) => isLimit("channel", c)) ? "limit" : ""];
  const group = make("g", { class: kinds.filter(Boolean).join(" "), transform: `translate(${x},${y})` }, parent);
  for (const section of edge.sections || []) {
    make("path", { class: "line", d: pathOf(section) }, group);
    make("path", { class: "reach", d: pathOf(section) }, group);
  }
  for (const label of edge.labels || []) make("text", { x: label.x + 2, y: label.y + 11 }, group, label.text);
  make("title", {}, group, edge.channels.map((c) => picture.channels[c].name.slice(0, 500)).join("\n"));
  group.addEventListener("click", () => choose({ sort: "channel", index }));
  const start = edge.sections && edge.sections[0] ? edge.sections[0].startPoint : { x: 0, y: 0 };
  for (const c of edge.channels) drawn.edges.set(c, { element: group, first: index, x: x + start.x, y: y + start.y, width: 1, height: 1 });
}

function draw(graph) {
  const view = $("view");
  view.replaceChildren();
  drawn = { nodes: new Map(), edges: new Map(), width: graph.width, height: graph.height };
  for (const node of graph.children) drawNode(node, view, 0, 0);
  for (const edge of graph.edges) drawEdge(edge, view);
}

async function layout() {
  $("state").hidden = false;
  try {
    draw(await elk.layout(layoutGraph()));
    $("state").hidden = true;
    if (chosen) mark();
    document.body.dataset.ready = String(Number(document.body.dataset.ready || 0) + 1);
  } catch (error) {
    $("state").textContent = "The layout failed: " + error.message;
  }
}

async function fold(key) {
  folded.has(key) ? folded.delete(key) : folded.add(key);
  await layout();
  fit();
}

// ---- what is chosen -------------------------------------------------------------------------

function elementOf(what) {
  if (what.sort === "channel") return drawn.edges.get(what.index);
  return drawn.nodes.get(nodeOfProcess(what.index));
}

function mark() {
  redrawTime();
  document.querySelectorAll(".chosen").forEach((element) => element.classList.remove("chosen"));
  const found = chosen && elementOf(chosen);
  if (found) found.element.classList.add("chosen");
}

function addFacts(parent, facts) {
  const list = html("dl", parent);
  for (const [name, value] of facts) {
    html("dt", list, name);
    html("dd", list, value).dir = "auto";
  }
}

function addLinks(parent, title, channels) {
  if (!channels.length) return;
  html("h3", parent, title);
  for (const index of channels) {
    const link = html("a", html("p", parent), picture.channels[index].name);
    link.addEventListener("click", () => show({ sort: "channel", index }));
  }
}

// A row for each number, a column for each run.
function addRuns(parent, rows, of) {
  if (!picture.runs.length) return;
  html("h3", parent, picture.runs.length > 1 ? "runs" : "run");
  const table = html("table", parent);
  refresh = () => {
    table.replaceChildren();
    const head = html("tr", table);
    html("th", head, "");
    for (const run of picture.runs) html("th", head, run.file);
    for (const [name, write] of rows) {
      const row = html("tr", table);
      html("th", row, name);
      for (const run of picture.runs) html("td", row, write(of(run), run));
    }
  };
  refresh();
}

const percent = (share) => (100 * share).toFixed(1) + " %";
const count = (number) => number.toLocaleString("en");
function time(ns) {
  const units = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
  const [unit, size] = units.find(([, least]) => ns >= least) || units[3];
  return (ns / size).toPrecision(3) + " " + unit;
}

const processRows = [
  ["fired", (p) => percent(p.firing)], ["busy: at work in firings", (p) => percent(p.busy)],
  ["waited for tokens", (p) => percent(p.starved)], ["waited for space", (p) => percent(p.blocked)],
  ["firings", (p) => count(p.firings)], ["a firing", (p) => (p.firings ? time(p.firing_ns / p.firings) : "")],
  ["firings a second", (p, run) => count(Math.round(live ? p.rate : p.firings / (run.wall_ns / 1e9)))],
];
if (live)
  processRows.push(["cores that take part", (p) => count(p.in_use)]);
const channelRows = [
  ...(live ? [["in it", (c) => count(c.fill)], ["tokens a second", (c) => count(Math.round(c.rate))]] : []),
  ["tokens", (c) => count(c.tokens)], ["bytes copied", (c) => count(c.copied)], ["bytes in place", (c) => count(c.in_place)],
  ["capacity", (c) => count(c.capacity)],
  ["reader waited", (c) => `${percent(c.token_wait)} in ${count(c.token_waits)}`],
  ["writer waited", (c) => `${percent(c.space_wait)} in ${count(c.space_waits)}`],
];
const newestRows = [["tokens lost", (c) => count(c.lost)], ["the oldest that was read", (c) => time(c.oldest_ns)]];

const nameOf = (what) => (what.sort === "channel" ? picture.channels : picture.processes)[what.index].name;

function showRuns() {
  const body = openPanel("The bottleneck");
  for (const run of picture.runs) {
    html("h3", body, run.file);
    const link = html("a", html("p", body), nameOf(run.limit));
    link.addEventListener("click", () => show({ sort: run.limit.sort, index: run.limit.index }));
    html("p", body, `It ${run.limit.says} (${percent(run.limit.share)} of ${time(run.wall_ns)}).`);
    html("p", body, `What would help: ${run.limit.helps}.`);
  }
  html("h3", body, "fired");
  const all = picture.processes.map((p, i) => i).sort((a, b) => picture.runs[0].processes[b].firing - picture.runs[0].processes[a].firing);
  const table = html("table", body);
  for (const index of all.slice(0, 50)) {
    const row = html("tr", table);
    const link = html("a", html("th", row), picture.processes[index].name);
    link.addEventListener("click", () => show({ sort: "process", index }));
    for (const run of picture.runs) html("td", row, percent(run.processes[index].firing));
  }
}

const channelsAt = (end, process) => picture.channels.map((c, i) => [c, i]).filter(([c]) => c[end][0] === process).map(([, i]) => i);

function openPanel(title, kind) {
  document.body.classList.add("panelled");
  $("panel").hidden = false;
  $("panel").className = kind || "";
  $("panel").scrollTop = 0;
  $("panel-title").textContent = title;
  $("panel-title").dir = "auto";
  $("panel-body").replaceChildren();
  refresh = () => {};
  return $("panel-body");
}

function choose(what) {
  chosen = what;
  mark();
  const thing = what.sort === "channel" ? picture.channels[what.index] : picture.processes[what.index];
  const body = openPanel(thing.name);
  addFacts(body, thing.facts);
  if (what.sort === "channel") addRuns(body, thing.newest ? [...channelRows, ...newestRows] : channelRows, (run) => run.channels[what.index]);
  else addRuns(body, processRows, (run) => run.processes[what.index]);
  addRunDetails(body, what);
  if (what.sort === "channel") {
    html("h3", body, "ends");
    for (const [index] of [thing.from, thing.to]) {
      const link = html("a", html("p", body), picture.processes[index].name);
      link.addEventListener("click", () => show({ sort: "process", index }));
    }
    return;
  }
  for (const parameter of thing.parameters || []) addInput(body, thing, parameter, parameter.name);
  html("h3", body, "ports");
  addFacts(body, thing.ports.map((port) => [port.name, (port.output ? "writes " : "reads ") + port.rate]));
  addLinks(body, "reads from", channelsAt("to", what.index));
  addLinks(body, "writes to", channelsAt("from", what.index));
}

// Chooses, and moves the picture there.
function show(what) {
  choose(what);
  const found = elementOf(what);
  if (!found || inRun()) return;
  const box = $("canvas").getBoundingClientRect();
  scale = Math.max(scale, 0.9);
  left = box.width * 0.4 - (found.x + found.width / 2) * scale;
  top_ = box.height / 2 - (found.y + found.height / 2) * scale;
  place();
}

function close() {
  chosen = null;
  mark();
  document.body.classList.remove("panelled");
  $("panel").hidden = true;
  $("found").hidden = true;
}

// ---- the verdict ----------------------------------------------------------------------------

const verdicts = {
  ended: "has run", broken: "ended early", runs: "can run", deadlock: "deadlock", inconsistent: "rates do not fit", unknown: "too long to be executed", refused: "cannot be made",
};

function analysisFacts(analysis) {
  const facts = [];
  const add = (name, value) => value !== undefined && value !== null && facts.push([name, String(value)]);
  add("processes", picture.processes.length);
  add("channels", picture.channels.length);
  add("least period", analysis.period_unbounded);
  for (const [name, point] of Object.entries(analysis.buffers || {}))
    if (point && point.total !== undefined) add("buffers, " + name, `${point.total} tokens, period ${point.period}`);
  add("latency", analysis.latency);
  if (analysis.products) add("products of rates", analysis.products.join(" and "));
  return facts;
}

function showVerdict() {
  chosen = null;
  mark();
  const body = openPanel("Network " + picture.network);
  addFacts(body, [...(picture.file ? [["file", picture.file]] : []), ["verdict", verdicts[verdict]], ...analysisFacts(picture.analysis)]);
  const witness = picture.channels.map((c, i) => [c, i]).filter(([c]) => c.witness).map(([, i]) => i);
  addLinks(body, "the cycle", witness);
  if (picture.messages.length) html("h3", body, "messages");
  for (const message of picture.messages) {
    if (message.file) html("p", body, `${message.file}:${message.line}`, "place");
    html("p", body, message.text, message.level).dir = "auto";
  }
  if (picture.mapping) html("h3", body, "mapping");
  if (picture.mapping) html("pre", body, picture.mapping.replace(/^ {5}/gm, "").trim()).dir = "auto";
}

const verdict = picture.verdict === "runs" && picture.messages.some((m) => m.level === "error") ? "refused" : picture.verdict;

// ---- moving ---------------------------------------------------------------------------------

let scale = 1, left = 0, top_ = 0;

function place() {
  $("view").setAttribute("transform", `translate(${left},${top_}) scale(${scale})`);
}

function zoom(factor, x, y) {
  const next = Math.min(8, Math.max(0.02, scale * factor));
  left = x - (x - left) * (next / scale);
  top_ = y - (y - top_) * (next / scale);
  scale = next;
  place();
}

function zoomMiddle(factor) {
  if (inRun()) return zoomTime(factor);
  const box = $("canvas").getBoundingClientRect();
  zoom(factor, box.width / 2, box.height / 2);
}

function fit() {
  const box = $("canvas").getBoundingClientRect();
  scale = Math.min(1.4, 0.97 * Math.min(box.width / drawn.width, box.height / drawn.height));
  // Of a long chain, or a high pile, its beginning: all of it would be a line.
  scale = Math.max(scale, Math.min(0.4, 40 / Math.min(drawn.width, drawn.height)));
  left = Math.max(0, (box.width - drawn.width * scale) / 2);
  top_ = Math.max(0, (box.height - drawn.height * scale) / 2);
  place();
}

const fitShown = () => (inRun() ? fitTime() : fit());

function setUpMoving() {
  const canvas = $("canvas");
  let from = null;
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => { from = [event.clientX - left, event.clientY - top_]; });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    canvas.classList.add("moving");
    left = event.clientX - from[0];
    top_ = event.clientY - from[1];
    place();
  });
  window.addEventListener("pointerup", () => { from = null; canvas.classList.remove("moving"); });
  $("in").addEventListener("click", () => zoomMiddle(1.3));
  $("out").addEventListener("click", () => zoomMiddle(1 / 1.3));
  $("fit").addEventListener("click", fitShown);
}

// ---- search ---------------------------------------------------------------------------------

function find(text) {
  const wanted = text.toLowerCase(), found = [];
  const add = (name, sort, what) => name.toLowerCase().includes(wanted) && found.push({ name, sort, what });
  picture.processes.forEach((p, index) => add(p.name, "process", { sort: "process", index }));
  picture.channels.forEach((c, index) => add(c.name, "channel", { sort: "channel", index }));
  picture.processes.forEach((p, index) => p.ports.forEach((port) => add(p.name + "." + port.name, "port", { sort: "process", index })));
  return found;
}

function listFound() {
  const list = $("found"), text = $("search").value.trim();
  list.replaceChildren();
  list.hidden = !text;
  if (!text) return;
  const all = find(text), most = 50;
  for (const one of all.slice(0, most)) {
    const item = html("li", list);
    html("span", item, one.name.slice(0, 500), "name").dir = "auto";
    html("span", item, one.sort, "sort");
    item.addEventListener("click", () => take(one));
  }
  if (all.length === 0) html("li", list, "nothing of this name");
  if (all.length > most) html("li", list, `and ${all.length - most} more`, "sort");
  if (all.length && list.firstChild) list.firstChild.classList.add("chosen");
}

function take(one) {
  $("found").hidden = true;
  show(one.what);
}

function setUpKeys() {
  const search = $("search");
  search.addEventListener("input", listFound);
  search.addEventListener("keydown", (event) => {
    const first = find(search.value.trim())[0];
    if (event.key === "Enter" && search.value.trim() && first) take(first);
    if (event.key === "Escape") search.blur(), close();
    event.stopPropagation();
  });
  const keys = { "/": () => search.focus(), "+": () => zoomMiddle(1.3), "-": () => zoomMiddle(1 / 1.3), 0: fitShown, Escape: close };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

// ---- a run that goes on ---------------------------------------------------------------------

const SPAN_NS = 1e9; // shares and rates are those of the last second
const moments = [];

function showLimit() {
  const limit = picture.runs[0].limit;
  $("limit").hidden = limit.index < 0;
  if (limit.index >= 0) $("limit").textContent = "bottleneck: " + nameOf(limit);
}

// What has been counted between two moments, of one process or channel: by the counter's name.
const between = (names, from, to) => Object.fromEntries(names.map((name, i) => [name, to[i] - from[i]]));
const named = (names, values) => Object.fromEntries(names.map((name, i) => [name, values[i]]));
const share = (ns, span) => Math.min(1, Math.max(0, ns / span));

function processNow(from, to, span, index) {
  const all = named(live.process, to), last = between(live.process, from, to);
  const copies = Math.max(1, picture.processes[index].copies);
  return {
    firings: all.firings, firing_ns: all.firing_ns, rate: last.firings / (span / 1e9), firing: share(last.firing_ns / copies, span),
    busy: share((last.busy_ns + last.device_ns) / copies, span), starved: share(last.starved_ns, span), blocked: share(last.blocked_ns, span),
    in_use: all.in_use,
  };
}

function channelNow(from, to, span) {
  const all = named(live.channel, to), last = between(live.channel, from, to);
  return {
    tokens: all.tokens, rate: last.tokens / (span / 1e9), copied: all.bytes_copied, in_place: all.bytes_in_place, fill: all.left, capacity: all.capacity,
    token_waits: all.token_waits, token_wait: share(last.token_wait_ns, span), space_waits: all.space_waits, space_wait: share(last.space_wait_ns, span),
    lost: all.lost, oldest_ns: all.oldest_ns,
  };
}

// Bars and fills move; the layout stays.
function redraw(run) {
  picture.processes.forEach((p, index) => {
    const found = drawn.nodes.get("p" + index);
    if (!found) return;
    if (!p.border) {
      found.element.querySelector(".bar").remove();
      drawBar(found.element, found, run, 0, index);
    }
    found.element.classList.toggle("limit", isLimit("process", index));
  });
  for (const [index, edge] of drawn.edges) {
    const label = edge.element.querySelector("text"), now = run.channels[index];
    if (label && index === edge.first) label.textContent = `${count(now.fill)} ≤ ${count(now.capacity)}`;
  }
}

// What is said of a bottleneck: of a run that goes on, and of one that has ended.
const LIMITS = {
  process: ["process", "fires all the time", "fired all the time", "a faster source, shadow copies or another processor"],
  held: ["process", "fires all the time, but its processor works for less than half of it", "fired all the time, but its processor worked for less than half of it",
    "less to wait for in its source, or nothing else on its processor"],
  processor: ["process", "fires longest on processors that have something to do all the time", "fired longest on processors that had something to do all the time",
    "another processor for one of the processes on it"],
  pressure: ["process", "makes those before it wait for space, and those behind it for tokens", "made those before it wait for space, and those behind it for tokens",
    "a faster source, shadow copies or another processor, and nothing else on that"],
  channel: ["channel", "is full and empty in turns, and both its ends wait", "was full and empty in turns, and both its ends waited",
    "a larger capacity, or both ends on one processor"],
  unknown: ["process", "fires longest, but nothing fires for most of the time", "fired longest, but nothing fired for most of the run",
    "larger capacities, more tokens a firing, or a longer run"],
};

const sumOf = (list, of) => list.reduce((sum, one) => sum + of(one), 0);

// Firings of a process as a part of the run, of all its copies or devices together.
const firingOf = (run, i) => run.processes[i].firing * Math.max(1, picture.processes[i].copies);

// In what part of their time the processors of a place had firings. While those neither fired nor waited, others had the cores.
function loadOf(run, place, on, waits) {
  const firing = Math.min(1, sumOf(on, (i) => firingOf(run, i)) / place.split(",").length);
  return firing < 0.3 ? firing : firing / Math.min(1, firing + sumOf(on, waits));
}

// By the rule that a run's file is judged with (find_limit in view/command/run.c): what fires all the time, else a processor whose processes
// do so together, else a channel with both ends waiting in turns.
function limitOf(run) {
  const longest = (among) => among.reduce((most, i) => (run.processes[i].firing > run.processes[most].firing ? i : most), among[0]);
  const found = (kind, index, part) => {
    const [sort, now, past, helps] = LIMITS[kind];
    return { sort, index, share: part, says: live ? now : past, helps };
  };
  const all = picture.processes.map((p, i) => i), first = longest(all), most = run.processes[first];
  const kindOf = (p) => (p.busy < 0.5 * p.firing ? "held" : "process");
  const waits = (i) => run.processes[i].starved + run.processes[i].blocked;
  if (most.firing >= 0.8) return found(kindOf(most), first, most.firing);
  const [load, on] = [...byPlace()].map(([place, here]) => [loadOf(run, place, here, waits), here]).reduce((a, b) => (b[0] > a[0] ? b : a));
  if (load >= 0.8) {
    const index = longest(on), isAlone = firingOf(run, index) >= 0.8 * sumOf(on, (i) => firingOf(run, i));
    return found(isAlone ? kindOf(run.processes[index]) : "processor", index, load);
  }
  const [before, behind] = ["to", "from"].map((end) => channelsBy(end));
  for (const i of all) {
    const sides = [before[i].map((c) => run.channels[c].space_wait), behind[i].map((c) => run.channels[c].token_wait)];
    const pressure = Math.min(...sides.filter((side) => side.length).map((side) => Math.max(...side)));
    if (pressure >= 0.8 && Number.isFinite(pressure) && waits(i) <= 0.5) return found("pressure", i, pressure);
  }
  const both = (c) => Math.min(c.token_wait, c.space_wait);
  const turns = run.channels.reduce((found_, c, i) => (found_ < 0 || both(c) > both(run.channels[found_]) ? i : found_), -1);
  if (turns >= 0 && both(run.channels[turns]) >= Math.max(0.1, 0.8 * most.firing)) return found("channel", turns, both(run.channels[turns]));
  return found("unknown", first, most.firing);
}

// Processes of each place; channels that lead to, or from, each process.
function byPlace() {
  const found = new Map();
  picture.processes.forEach((p, i) => found.set(p.place, [...(found.get(p.place) || []), i]));
  return found;
}

function channelsBy(end) {
  const found = picture.processes.map(() => []);
  picture.channels.forEach((c, i) => found[c[end][0]].push(i));
  return found;
}

function takeNumbers(numbers) {
  takeValues(numbers.parameters);
  moments.push(numbers);
  while (moments.length > 2 && numbers.ns - moments[1].ns >= SPAN_NS) moments.shift();
  const first = moments[0], span = numbers.ns - first.ns, run = picture.runs[0];
  picture.messages = numbers.messages.map(([, level, text]) => ({ level, text, file: "" }));
  if (span <= 0) return;
  run.wall_ns = numbers.ns;
  run.processes = numbers.processes.map((p, i) => processNow(first.processes[i], p, span, i));
  run.channels = numbers.channels.map((c, i) => channelNow(first.channels[i], c, span));
  run.latencies = numbers.latencies.map((l, i) => ({ ...picture.latencies[i], ...named(live.latency, l) }));
  run.limit = limitOf(run);
  showLimit();
  showPromises();
  redraw(run);
  refresh();
}

// ---- live parameters: what is entered is sent, and the answer shown

function* liveParameters() {
  for (const process of picture.processes) for (const parameter of process.parameters || []) yield { process, parameter };
}

// One that has a type and both limits is a slider, with its value beside it.
function addInput(parent, process, parameter, title) {
  html("h3", parent, title);
  const input = html("input", parent), shown = html("output", parent), answer = html("p", parent, "");
  const slides = parameter.type && parameter.min !== undefined && parameter.max !== undefined;
  if (slides) {
    const whole = !/float|double/.test(parameter.type);
    Object.assign(input, { type: "range", min: parameter.min, max: parameter.max, step: whole ? 1 : "any" });
  }
  const take = () => {
    if (document.activeElement !== input || input.dataset.sent) input.value = parameter.value;
    if (slides) shown.textContent = parameter.value;
  };
  take();
  inputs = inputs.filter((one) => one.input.isConnected);
  inputs.push({ input, take });
  input.setAttribute("aria-label", title);
  input.addEventListener("keydown", (event) => event.stopPropagation());
  input.addEventListener("input", () => { delete input.dataset.sent; if (slides) shown.textContent = input.value; });
  input.addEventListener("change", async () => {
    const query = new URLSearchParams(location.search);
    query.set("process", process.name);
    query.set("parameter", parameter.name);
    const response = await fetch("parameter?" + query, { method: "POST", body: input.value }).catch(() => null);
    answer.textContent = response ? await response.text() : "no connection";
    input.dataset.sent = "yes";
  });
}

// Takes the values of now, which are in the order of the picture.
function takeValues(values) {
  let number = 0;
  for (const { parameter } of liveParameters()) parameter.value = values[number++];
  for (const one of inputs) one.take();
}

function showParameters() {
  const body = openPanel("Parameters");
  for (const { process, parameter } of liveParameters())
    addInput(body, process, parameter, process.name + "." + parameter.name);
}

function showState(text) {
  const said = picture.messages.filter((m) => m.level !== "note").length;
  $("verdict").textContent = said ? `${text}, ${said} message${said > 1 ? "s" : ""}` : text;
}

function follow() {
  const events = new EventSource("events" + location.search);
  events.addEventListener("numbers", (event) => { takeNumbers(JSON.parse(event.data)); showState("running"); });
  events.addEventListener("end", (event) => { events.close(); takeNumbers(JSON.parse(event.data)); showState("has ended"); });
  events.addEventListener("error", () => showState("no connection"));
}

// ---- the rest -------------------------------------------------------------------------------

function addLegend(fill, line, text) {
  const item = html("span", $("legend"));
  const box = html("i", item);
  box.style.background = fill;
  box.style.borderColor = line;
  item.append(text);
}

function setUp() {
  document.title = picture.network + " – dalview";
  $("title").textContent = picture.network;
  $("title").dir = "auto";
  $("verdict").textContent = verdicts[verdict];
  $("verdict").className = verdict;
  $("verdict").addEventListener("click", showVerdict);
  $("close").addEventListener("click", close);
  for (const run of picture.runs) run.limit = run.limit || limitOf(run);
  if (picture.runs.length && verdict !== "broken") showLimit();
  $("limit").addEventListener("click", showRuns);
  showPromises();
  $("promises").addEventListener("click", openPromises);
  $("parameters").hidden = liveParameters().next().done;
  $("parameters").addEventListener("click", showParameters);
  addLegend("var(--box)", "var(--box-line)", "process");
  if (picture.processes.some((p) => p.border)) addLegend("var(--port)", "var(--port-line)", "port of the network");
  if (picture.processes.some((p) => p.device)) addLegend("var(--device)", "var(--device-line)", "kernel on a device");
  if (frames.some((f) => f.part === null)) addLegend("var(--group)", "var(--line)", "processor: click its name to fold");
  if (frames.some((f) => f.part !== null)) addLegend("var(--paper)", "var(--port-line)", "part: click its name to fold");
  if (picture.channels.some((c) => c.witness)) addLegend("var(--bad-paper)", "var(--bad)", "why it cannot run");
  if (picture.channels.some((c) => c.newest)) html("span", $("legend"), "┄ the newest token alone");
  if (picture.runs.length) {
    addLegend("var(--mark)", "var(--mark)", "busy; paler: held up in firings");
    addLegend("var(--quiet)", "var(--quiet)", "waited for tokens");
    addLegend("var(--device-line)", "var(--device-line)", "waited for space; bottleneck");
  }
  html("span", $("legend"), "≤ capacity   ● initial tokens");
  setUpMoving();
  setUpKeys();
  setUpRun();
}

setUp();
layout().then(() => {
  fit();
  if (picture.mapping || !["runs", "ended", "broken"].includes(verdict)) showVerdict();
  if (live) follow();
});
