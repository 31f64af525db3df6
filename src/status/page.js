
// SPDX-License-Identifier: Apache-2.0 OR MIT
// Draws GET /status each second. Elements are kept from one second to the next and changed where
// they differ, so that a selection, a focus and a tooltip stay. Text from outside goes to the page
// through textContent and setAttribute() alone.
"use strict";

const POLL_MS = 1000, TIMEOUT_MS = 5000;
const MOST_JOBS = 40, MOST_WAITING = 20, MOST_RECENT = 50;
const KINDS = {
  "porep-c2": "PoRep", "snap-update": "Update",
  "window-post": "WindowPoSt", "winning-post": "WinningPoSt",
};
const RESULTS = {
  completed: ["✓ done", "good"], failed: ["✕ failed", "bad"],
  cancelled: ["○ cancelled", "soft"], timeout: ["✕ too late", "bad"],
};

const byId = (id) => document.getElementById(id);

// ---- words ----

function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  return (unit === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)) + " " + units[unit];
}

function seconds(s) {
  const two = (n) => String(n).padStart(2, "0");
  if (s === null) return "–";
  if (s < 1) return Math.round(s * 1000) + " ms";
  if (s < 10) return s.toFixed(1) + " s";
  s = Math.round(s);
  if (s < 60) return s + " s";
  const m = Math.floor(s / 60), h = Math.floor(m / 60), d = Math.floor(h / 24);
  if (h === 0) return m + " m " + two(s % 60) + " s";
  if (d === 0) return h + " h " + two(m % 60) + " m";
  return d + " d " + (h % 24) + " h";
}

function percent(part, whole) {
  return whole > 0 ? Math.round(100 * part / whole) + " %" : "–";
}

function mean(durations) {
  return durations.count > 0 ? seconds(durations.sum / durations.count) : "–";
}

function kindName(kind) {
  return KINDS[kind] || kind;
}

function requestName(job) {
  return job.request_id || "job " + job.job_id;
}

// ---- elements ----

function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

function setClass(element, name) {
  if (element.className !== name) element.className = name;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

function svg(parent, name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(element, attributes);
  parent.append(element);
  return element;
}

// Gives a parent exactly n children of that tag.
function setCount(parent, n, make) {
  while (parent.children.length > n) parent.lastElementChild.remove();
  while (parent.children.length < n) parent.append(make());
}

// A cell is [text, class, detail]; the first of a row is its heading.
function fillTable(id, rows) {
  const table = byId(id), body = table.tBodies[0], none = byId(id + "-none");
  setCount(body, rows.length, () => document.createElement("tr"));
  rows.forEach((cells, i) => {
    const row = body.children[i];
    let column = 0;
    setCount(row, cells.length, () => {
      const cell = document.createElement(column++ === 0 ? "th" : "td");
      if (cell.tagName === "TH") cell.scope = "row";
      cell.append(document.createElement("div"), document.createElement("div"));
      return cell;
    });
    cells.forEach(([text, name = "", detail = ""], k) => {
      const [first, second] = row.children[k].children;
      setClass(row.children[k], name);
      setText(first, text);
      setText(second, detail);
      setClass(second, "error");
      second.hidden = detail === "";
    });
  });
  if (none) {
    table.hidden = rows.length === 0;
    none.hidden = rows.length > 0;
  }
}

function setMore(id, n, words) {
  byId(id).hidden = n <= 0;
  setText(byId(id), n > 0 ? "and " + n + " more" + words : "");
}

// ---- jobs over time ----

const GUTTER = 26, RIGHT = 12;

// The time from `span` seconds ago until now across a width.
function scale(span, width) {
  const room = Math.max(width - GUTTER - RIGHT, 50);
  return {
    span, width, room,
    at: (ago) => GUTTER + room * (1 - Math.min(Math.max(ago / span, 0), 1)),
    ticks: ticks(span, room / 75),
  };
}

// Round distances from now, at most `most` of them.
function ticks(span, most) {
  const steps = [0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200,
                 86400];
  const step = steps.find((s) => span / s <= Math.max(most, 1)) || span;
  const out = [];
  for (let t = 0; t <= span * 1.0001; t += step) out.push(t);
  return out;
}

function tickWords(t) {
  if (t === 0) return "now";
  if (t < 60) return (t < 1 ? t.toFixed(1) : t) + " s ago";
  if (t < 3600) return Math.floor(t / 60) + " m" + (t % 60 ? " " + t % 60 + " s" : "") + " ago";
  return Math.floor(t / 3600) + " h" + (t % 3600 ? " " + t % 3600 / 60 + " m" : "") + " ago";
}

function drawAxis(x) {
  const axis = byId("axis");
  setAttributes(axis, {width: x.width, height: 18});
  setCount(axis, x.ticks.length, () => document.createElementNS("http://www.w3.org/2000/svg", "text"));
  x.ticks.forEach((t, i) => {
    const left = x.at(t) < GUTTER + 20;
    setAttributes(axis.children[i], {
      x: x.at(t), y: 12, "text-anchor": t === 0 ? "end" : left ? "start" : "middle",
    });
    setText(axis.children[i], tickWords(t));
  });
}

function makeJob() {
  const job = document.createElement("article");
  job.className = "job";
  const head = document.createElement("div");
  head.className = "job-head";
  head.append(document.createElement("h3"), document.createElement("p"));
  const remark = document.createElement("p");
  job.append(head, remark);
  const lanes = svg(job, "svg", {role: "img"});
  svg(lanes, "title", {});
  svg(lanes, "g", {});
  svg(lanes, "g", {});
  return job;
}

function makeLane() {
  const lane = document.createElementNS("http://www.w3.org/2000/svg", "g");
  svg(lane, "title", {});
  svg(lane, "text", {x: GUTTER - 6, "text-anchor": "end"});
  svg(lane, "line", {class: "between"});
  svg(lane, "rect", {class: "synthesis"});
  svg(lane, "rect", {class: "proving"});
  svg(lane, "path", {class: "cross"});
  return lane;
}

// A bar from one time to another, both in seconds from the job's acceptance on; null: none.
function setBar(bar, x, begin, end, ageNow, top, height) {
  if (begin === null) {
    bar.setAttribute("visibility", "hidden");
    return;
  }
  const left = x.at(ageNow - begin), right = x.at(ageNow - (end ?? ageNow));
  setAttributes(bar, {
    visibility: "visible", x: left.toFixed(1), y: top, height,
    width: Math.max(right - left, 1.5).toFixed(1),
  });
}

function partitionWords(p) {
  return "partition " + p.index + ": " + p.state.replace("_", " ") +
    (p.synth_ms === null ? "" : "; synthesis " + seconds(p.synth_ms / 1000)) +
    (p.gpu_ms === null ? "" : "; proving " + seconds(p.gpu_ms / 1000));
}

// Until a job that has ended did so, its open intervals are drawn.
function drawLane(lane, x, p, job, top, height) {
  const [title, label, between, synthesis, proving, cross] = lane.children;
  const age = job.accepted_secs_ago, ended = job.total_secs;
  const middle = top + height / 2;
  setText(title, partitionWords(p));
  setText(label, height >= 9 ? p.index : "");
  setAttributes(label, {y: top + height - 1});
  setBar(synthesis, x, p.synth_begin_secs, p.synth_end_secs ?? ended, age, top, height);
  setBar(proving, x, p.gpu_begin_secs, p.gpu_end_secs ?? ended, age, top, height);
  if (p.synth_end_secs === null) {
    between.setAttribute("visibility", "hidden");
  } else {
    const end = p.gpu_begin_secs ?? ended ?? age;
    setAttributes(between, {
      visibility: "visible", x1: x.at(age - p.synth_end_secs).toFixed(1), y1: middle,
      x2: x.at(age - end).toFixed(1), y2: middle,
    });
  }
  const last = p.gpu_end_secs ?? (p.gpu_begin_secs === null ? p.synth_end_secs : null) ?? ended ?? age;
  const left = x.at(age - last) + 2, r = Math.max(height / 2 - 1, 2), right = left + 2 * r;
  setAttributes(cross, {
    visibility: p.state === "failed" ? "visible" : "hidden",
    d: `M${left} ${middle - r}L${right} ${middle + r}M${right} ${middle - r}L${left} ${middle + r}`,
  });
}

function jobWords(job) {
  const counts = {};
  for (const p of job.partitions) counts[p.state] = (counts[p.state] || 0) + 1;
  const words = [job.partitions_done + " of " + job.total_partitions + " partitions done"];
  if (counts.gpu) words.push(counts.gpu + " proving");
  if (counts.synth_done) words.push(counts.synth_done + " waiting for a device");
  if (counts.synthesizing) words.push(counts.synthesizing + " in synthesis");
  if (counts.pending) words.push(counts.pending + " to come");
  if (counts.failed) words.push(counts.failed + " failed");
  return words.join(", ");
}

function jobFacts(job) {
  const facts = [kindName(job.proof_kind), job.priority + " priority"];
  if (job.ended_secs_ago === null) facts.push("begun " + seconds(job.started_secs_ago) + " ago");
  else facts.push((RESULTS[job.state] || [job.state])[0] + " " + seconds(job.ended_secs_ago) + " ago");
  facts.push(jobWords(job));
  if (job.miner_id !== "0") facts.push("miner " + job.miner_id);
  if (job.sector_number !== "0") facts.push("sector " + job.sector_number);
  if (job.bytes > 0) facts.push(bytes(job.bytes));
  return facts.join(" · ");
}

function setRemark(remark, job) {
  const words = [];
  if (job.error) words.push("✕ " + job.error);
  if (job.retries > 0)
    words.push("↻ " + job.retries + (job.retries === 1 ? " partition" : " partitions") +
               " tried again" + (job.retry_reason ? ": " + job.retry_reason : ""));
  setText(remark, words.join("\n"));
  setClass(remark, "remark " + (job.error ? "bad" : "warn"));
  remark.hidden = words.length === 0;
}

function drawJob(element, x, job) {
  const [head, remark, lanes] = element.children;
  const [title, grid, bars] = lanes.children;
  const few = job.partitions.length <= 16;
  const partitions = job.partitions.filter((p) => few || p.state !== "pending");
  const n = partitions.length;
  const height = n <= 16 ? 10 : n <= 40 ? 6 : 3, step = height + (n <= 16 ? 4 : n <= 40 ? 2 : 1);
  setText(head.children[0], requestName(job));
  setText(head.children[1], jobFacts(job));
  head.children[0].title = "job " + job.job_id;
  setRemark(remark, job);
  setAttributes(lanes, {width: x.width, height: n * step + 2});
  setText(title, requestName(job) + ": " + jobWords(job));
  setCount(grid, x.ticks.length, () => document.createElementNS("http://www.w3.org/2000/svg", "line"));
  x.ticks.forEach((t, i) => setAttributes(grid.children[i], {
    class: "grid", x1: x.at(t), x2: x.at(t), y1: 0, y2: n * step + 2,
  }));
  setCount(bars, n, makeLane);
  partitions.forEach((p, i) => drawLane(bars.children[i], x, p, job, i * step + 2, height));
}

function drawJobs(pipelines) {
  const parent = byId("jobs"), shown = pipelines.slice(0, MOST_JOBS);
  const known = new Map([...parent.children].map((element) => [element.dataset.job, element]));
  const span = Math.max(10, ...shown.map((job) => job.started_secs_ago));
  const x = scale(span * 1.02, parent.clientWidth);
  byId("legend").hidden = shown.length === 0;
  byId("jobs-none").hidden = shown.length > 0;
  setMore("jobs-more", pipelines.length - shown.length, "");
  if (shown.length > 0) drawAxis(x);
  else setAttributes(byId("axis"), {height: 0});
  const wanted = shown.map((job) => {
    const element = known.get(job.job_id) || makeJob();
    element.dataset.job = job.job_id;
    drawJob(element, x, job);
    return element;
  });
  wanted.forEach((element, i) => {
    if (parent.children[i] !== element) parent.insertBefore(element, parent.children[i] || null);
  });
  while (parent.children.length > wanted.length) parent.lastElementChild.remove();
}

// ---- tables ----

function drawQueue(queues) {
  const number = (n) => [n, "number"];
  fillTable("queue", queues.map((q) => [
    [kindName(q.proof_kind), "short"], number(q.pending), number(q.in_progress),
    number(seconds(q.oldest_waiting_secs)), number(q.completed),
    [q.failed, q.failed > 0 ? "number bad" : "number"], number(q.cancelled),
    [q.timed_out, q.timed_out > 0 ? "number bad" : "number"], number(q.refused),
    [q.partition_retries, q.partition_retries > 0 ? "number warn" : "number"],
    number(mean(q.wait_secs)), number(mean(q.duration_secs)),
  ]));
}

function drawWaiting(waiting) {
  fillTable("waiting", waiting.slice(0, MOST_WAITING).map((job) => [
    [requestName(job), "free"], [kindName(job.proof_kind), "short"], [job.priority, "short"],
    [job.total_partitions, "number"], [bytes(job.bytes), "number"],
    [seconds(job.accepted_secs_ago), "number"],
  ]));
  setMore("waiting-more", waiting.length - MOST_WAITING, ", in the order in which they will begin");
}

function drawMemory(memory) {
  const whole = Math.max(memory.total_bytes, memory.used_bytes, 1);
  const parts = [["jobs", memory.jobs_bytes], ["parameters", memory.parameters_bytes],
                 ["idle", memory.idle_bytes]];
  let left = 0;
  for (const [name, n] of parts) {
    setAttributes(byId("memory-" + name), {x: left, width: 1000 * n / whole});
    left += 1000 * n / whole;
    setText(byId("m-" + name), bytes(n));
    setText(byId("p-" + name), percent(n, memory.total_bytes));
  }
  const peak = Math.min(1000 * memory.peak_bytes / whole, 1000);
  setAttributes(byId("memory-peak"), {x1: peak, x2: peak});
  setText(byId("m-free"), bytes(memory.available_bytes));
  setText(byId("p-free"), percent(memory.available_bytes, memory.total_bytes));
  setText(byId("m-budget"), bytes(memory.total_bytes));
  setText(byId("m-peak"), bytes(memory.peak_bytes));
  setText(byId("p-peak"), percent(memory.peak_bytes, memory.total_bytes));
  setText(byId("m-resident"), bytes(memory.resident_bytes));
  setText(byId("m-system"), bytes(memory.system_available_bytes));
  byId("memory-bar").setAttribute("aria-label", bytes(memory.used_bytes) + " of " +
    bytes(memory.total_bytes) + " are used");
}

function drawWorkers(status) {
  const names = new Map(status.pipelines.map((job) => [job.job_id, requestName(job)]));
  fillTable("workers", status.gpu_workers.map((w) => [
    [w.worker_id, "number"], [w.gpu_ordinal, "number"],
    [w.state === "idle" ? "○ idle" : "● " + w.state, "short" + (w.state === "idle" ? " soft" : "")],
    [w.current_job === null ? "–" : names.get(w.current_job) || "job " + w.current_job, "free"],
    [w.current_partition === null ? "–" : w.current_partition, "number"],
    [seconds(w.busy_secs), "number"],
  ]));
  setText(byId("synthesis"), status.synthesis.active + " of at most " +
    status.synthesis.max_concurrent + " partitions in synthesis.");
}

function drawParameters(allocations) {
  const circuits = new Map();
  for (const list of ["srs", "pce"])
    for (const entry of allocations[list])
      circuits.set(entry.circuit_id, {...circuits.get(entry.circuit_id), entry, [list]: entry.bytes});
  fillTable("srs", [...circuits.values()].map(({entry, srs = 0, pce = 0}) => [
    [entry.circuit_id, "free"], [bytes(srs), "number"], [bytes(pce), "number"],
    [entry.users, "number"],
    [entry.users > 0 ? "now" : seconds(entry.last_used_secs_ago) + " ago", "number"],
    [entry.evictable ? "yes" : "no, it is in use", "short"],
  ]));
}

function drawRecent(recent) {
  const newest = [...recent].sort((a, b) => a.ended_secs_ago - b.ended_secs_ago);
  fillTable("recent", newest.slice(0, MOST_RECENT).map((job) => {
    const [word, name] = RESULTS[job.state] || [job.state, ""];
    return [
      [word, "short " + name], [requestName(job), "free", job.error],
      [kindName(job.proof_kind), "short"],
      [seconds(job.ended_secs_ago) + " ago", "number"], [seconds(job.wait_secs), "number"],
      [seconds(job.total_secs), "number"],
    ];
  }));
  setMore("recent-more", recent.length - MOST_RECENT, "");
}

// ---- the whole ----

function setState(words, name, notice) {
  setText(byId("state"), words);
  setClass(byId("state"), name);
  setText(byId("notice"), notice);
  setClass(byId("notice"), "notice " + name);
  byId("notice").hidden = notice === "";
}

function draw(status) {
  const server = status.server, counters = status.counters;
  const running = status.queues.reduce((sum, q) => sum + q.in_progress, 0);
  if (server.state === "draining")
    setState("◐ draining", "warn", "The daemon is stopping: it takes no new jobs and ends those it has.");
  else
    setState("● serving", "good", "");
  document.body.classList.remove("stale");
  document.title = "cuzk: " + running + " running, " + counters.queue_depth + " waiting";
  setText(byId("version"), server.version);
  setText(byId("address"), server.address);
  setText(byId("uptime"), seconds(status.uptime_secs));
  setText(byId("threads"), server.threads);
  setText(byId("connections"), server.connections);
  setText(byId("calls"), server.calls);
  setText(byId("store"), bytes(server.store_bytes));
  drawQueue(status.queues);
  drawJobs(status.pipelines);
  drawWaiting(status.waiting);
  drawMemory(status.memory);
  drawWorkers(status);
  drawParameters(status.allocations);
  drawRecent(status.recent);
}

let lastStatus = null, lastTime = null;

function drawSilence(reason) {
  const since = lastTime === null ? "." :
    "; it did " + seconds((Date.now() - lastTime) / 1000) + " ago. What is shown is from then.";
  document.title = "cuzk: no answer";
  document.body.classList.toggle("stale", lastStatus !== null);
  setState("✕ no answer", "bad", "The daemon does not answer (" + reason + ")" + since);
}

async function fetchStatus() {
  const response = await fetch("status", {cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS)});
  if (!response.ok) throw new Error("HTTP " + response.status + ": " + await response.text());
  return response.json();
}

async function poll() {
  let status = null;
  try {
    status = await fetchStatus();
  } catch (error) {
    drawSilence(error.name === "TimeoutError" ? "nothing within 5 seconds" : error.message);
  }
  if (status !== null) {
    lastStatus = status;
    lastTime = Date.now();
    setText(byId("taken"), "As of " + new Date(lastTime).toLocaleTimeString());
    try {
      draw(status);
    } catch (error) {
      setState("✕ fault", "bad", "This page has a fault: " + error.message);
      console.error(error);
    }
  }
  setTimeout(poll, POLL_MS);
}

addEventListener("resize", () => {
  if (lastStatus !== null) drawJobs(lastStatus.pipelines);
});
poll();
