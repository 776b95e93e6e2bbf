"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const MARKS = { success: "✔", stop: "✘", blocked: "■" };
const SIGNS = { pass: ["success", "✔"], fail: ["stop", "✘"], needs_human: ["blocked", "?"] };
const at = (id) => document.getElementById(id);
// Everything that agents and files say goes through here, and becomes text and nothing else.
const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};
const digits = new Intl.NumberFormat("en"),
  whole = (n) => digits.format(n);
const seconds = (ms) =>
  ms < 10000
    ? (ms / 1000).toFixed(1) + " s"
    : ms < 120000
      ? Math.round(ms / 1000) + " s"
      : ms < 3600000
        ? Math.floor(ms / 60000) + " min" + (ms % 60000 < 1000 ? "" : " " + (Math.floor(ms / 1000) % 60) + " s")
        : whole((ms / 3600000).toFixed(1)) + " h";
const money = (cost, unknown) =>
  (cost || !unknown ? "$" + cost.toFixed(2) : "") + (unknown ? (cost ? " + " + unknown + " " : "") + "unknown" : "");
const plural = (n, word) => whole(n) + " " + word + (n === 1 ? "" : "s");
const runs = data.runs.map(
  ([id, code, milestone, task, intent, [files, added, deleted, fresh], ms, cost, unknown, stages]) => {
    const t = id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, "$1-$2-$3T$4:$5:$6Z");
    const verdict = code.split("_")[0].toLowerCase();
    const detail = data.full[id];
    const paths = detail ? detail.report.scope.touched_paths.concat(detail.report.scope.violations).join(" ") : "";
    return {
      id,
      code,
      milestone,
      task,
      intent,
      files,
      added,
      deleted,
      fresh,
      ms,
      cost,
      unknown,
      stages,
      verdict,
      time: new Date(t),
      words: [id, code, milestone, task, intent, paths].join(" ").toLowerCase(),
    };
  },
);
const when = (date) => (Number.isNaN(date.getTime()) ? "?" : date.toISOString().slice(0, 16).replace("T", " "));

function summary() {
  document.title = "relais history: " + data.repo;
  at("title").textContent = data.repo;
  at("made").textContent =
    "relais history, made " +
    data.made_at.replace("T", " ").replace("Z", " UTC") +
    (data.without_report ? "; " + plural(data.without_report, "run") + " without a sound report" : "");
  const sum = (pick) => runs.reduce((total, run) => total + pick(run), 0);
  const count = (verdict) => runs.filter((run) => run.verdict === verdict).length;
  const unknown = sum((run) => run.unknown);
  const tile = (name, value, note) =>
    at("tiles").append(
      make(
        "div",
        "tile",
        make("dt", "", ...[name].flat()),
        make("dd", "", value, note ? " " : null, note ? make("small", "", note) : null),
      ),
    );
  tile("Runs", whole(runs.length));
  for (const verdict of Object.keys(MARKS))
    tile([make("span", verdict, MARKS[verdict]), " " + verdict], whole(count(verdict)));
  const kept = (name) => sum((run) => (run.verdict === "success" ? run[name] : 0));
  tile(
    "Lines kept",
    whole(kept("added") + kept("deleted")),
    "+" + whole(kept("added")) + " −" + whole(kept("deleted")),
  );
  tile("Time", seconds(sum((run) => run.ms)));
  tile(
    "Cost as reported",
    "$" + sum((run) => run.cost).toFixed(2),
    unknown ? "and " + plural(unknown, "call") + " of unknown cost" : "",
  );
}

function timeline() {
  const times = runs.map((run) => run.time.getTime()).filter((time) => !Number.isNaN(time));
  if (times.length < 2) return at("timeline").remove();
  const first = times.reduce((a, b) => Math.min(a, b)),
    last = times.reduce((a, b) => Math.max(a, b));
  const size = Math.min(96, Math.max(1, times.length)),
    span = (last - first) / size || 1;
  for (const verdict of Object.keys(MARKS)) {
    const counts = new Array(size).fill(0);
    for (const run of runs)
      if (run.verdict === verdict) counts[Math.min(size - 1, Math.floor((run.time - first) / span))] += 1;
    const most = Math.max(1, ...counts);
    const cells = make(
      "div",
      verdict,
      ...counts.map((n) => {
        const cell = make("i");
        cell.style.opacity = n ? 0.35 + (0.65 * n) / most : 0;
        return cell;
      }),
    );
    const lane = make("div", "lane", make("b", verdict, MARKS[verdict]), cells);
    cells.setAttribute("role", "img");
    cells.setAttribute(
      "aria-label",
      plural(
        counts.reduce((a, b) => a + b),
        "run",
      ) +
        " ended as " +
        verdict +
        " between " +
        when(new Date(first)) +
        " and " +
        when(new Date(last)),
    );
    at("timeline").append(lane);
  }
  at("timeline").append(
    make("div", "axis", make("span", "", when(new Date(first))), make("span", "", when(new Date(last)) + " UTC")),
  );
}

function budgets() {
  if (!data.budgets.length) return at("budgets").remove();
  if (data.milestone) at("budget-title").textContent = "Budgets, milestone " + data.milestone;
  for (const [name, spent, cap] of data.budgets) {
    const fill = make("i");
    fill.style.width = Math.min(100, (100 * spent) / Math.max(cap, 1)) + "%";
    at("budgets").append(
      make(
        "div",
        "budget",
        make("span", "", name.replace(/_/g, " ")),
        make("div", spent >= 0.8 * cap ? "near" : "", fill),
        make("span", "", whole(spent) + " of " + whole(cap)),
      ),
    );
  }
}

function row(run) {
  const item = make("li"),
    button = make("button", "row");
  const bar = make("div", "bar", make("i"), make("i")),
    all = Math.max(1, run.added + run.deleted);
  bar.style.width = Math.min(100, 12 + 18 * Math.log10(all)) + "%";
  bar.firstChild.style.flex = String(run.added / all);
  bar.lastChild.style.flex = String(run.deleted / all);
  const blast = make(
    "span",
    "blast",
    run.files ? plural(run.files, "file") + ", +" + whole(run.added) + " −" + whole(run.deleted) : "no files",
    run.files ? bar : null,
  );
  const mark = make("span", "mark " + run.verdict, MARKS[run.verdict] || "?");
  mark.setAttribute("aria-label", run.verdict);
  mark.setAttribute("role", "img");
  const code = run.code === "SUCCESS" ? null : make("span", "mono code " + run.verdict, run.code);
  button.append(
    mark,
    make("span", "when", when(run.time)),
    make("span", "what", make("b", "", run.intent), run.milestone + " · " + run.task, code),
    blast,
    make("span", "took", seconds(run.ms)),
    make("span", "cost", money(run.cost, run.unknown)),
  );
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => toggle(item, button, run));
  item.append(button);
  item.id = run.id;
  return item;
}

function toggle(item, button, run) {
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) return item.lastChild.remove();
  item.append(more(run));
  history.replaceState(null, "", "#" + run.id);
}

function more(run) {
  const panel = make("div", "more"),
    detail = data.full[run.id];
  const facts = make("dl");
  const fact = (name, value) => {
    if (value) facts.append(make("dt", "", name), make("dd", "", value));
  };
  const mono = (text) => make("code", "", text);
  fact("Run", mono(run.id));
  if (!detail) {
    fact("In full", mono(data.folder + "/" + run.id));
    panel.append(facts);
    return panel;
  }
  const report = detail.report,
    why = report.error?.detail,
    asked = report.question;
  if (why) panel.append(make("p", "why " + run.verdict, make("span", "", why)));
  if (run.intent.endsWith("…")) panel.append(make("p", "", report.task.intent));
  panel.append(facts);
  fact("Files", mono(data.folder + "/" + run.id));
  if (report.commit) fact("Commit", mono(report.commit.id.slice(0, 12) + " on " + report.commit.branch));
  if (report.rollback) fact("Rolled back", report.rollback.ok ? "completely" : "NOT completely");
  if (report.rollback?.rescue_ref) fact("Its work", mono("relais rescue show " + run.id));
  if (report.sandbox) fact("Confined by", report.sandbox);
  if (asked) section(panel, "Question", make("div", "", asked.prompt, list(asked.choices || [])));
  section(panel, "Violations", list(report.scope.violations));
  section(panel, "Warnings", list(report.budgets.warnings));
  section(panel, "Verification", checks(report.verification.runs));
  if (report.review) section(panel, "Review", review(report.review.criteria));
  section(
    panel,
    detail.diff ? "Diff" : "Touched",
    diff(detail.diff, report.scope.violations) || list(report.scope.touched_paths),
  );
  section(panel, "Time", stages(run));
  section(panel, "Calls", calls(report.agent?.calls || []));
  return panel;
}

function section(panel, title, content) {
  if (content) panel.append(make("h3", "", title), content);
}
function list(items) {
  return items.length ? make("ul", "", ...items.map((item) => make("li", "", item))) : null;
}
function sign([className, mark]) {
  return make("span", "sign " + className, mark);
}

function review(criteria) {
  return make(
    "ul",
    "plain",
    ...criteria.map((row) =>
      make(
        "li",
        "",
        sign(SIGNS[row.verdict]),
        row.verdict.replace(/_/g, " ") + ": " + row.criterion,
        make("small", "", row.evidence),
      ),
    ),
  );
}

function calls(rows) {
  const usage = (call) =>
    Object.entries(call.usage || {})
      .map(([name, n]) => whole(n) + " " + name.replace(/_/g, " "))
      .join(", ");
  return rows.length
    ? make(
        "ul",
        "plain calls",
        ...rows.map((call) =>
          make(
            "li",
            "",
            make("span", "", call.role),
            make("span", "", seconds(call.duration_ms)),
            make("span", "", call.cost_usd === undefined ? "cost unknown" : "$" + call.cost_usd.toFixed(4)),
            make("span", "", usage(call)),
          ),
        ),
      )
    : null;
}

function stages(run) {
  const names = Object.keys(run.stages).filter((name) => run.stages[name] > 0);
  if (!names.length) return null;
  const part = (name) => make("i", /^[a-z]+$/.test(name) ? "is-" + name : "");
  const bar = make(
    "div",
    "stages",
    ...names.map((name) => {
      const i = part(name);
      i.style.flex = String(run.stages[name]);
      i.title = name;
      return i;
    }),
  );
  const legend = make(
    "div",
    "legend",
    ...names.map((name) => make("span", "", part(name), name + " " + seconds(run.stages[name]))),
  );
  bar.setAttribute("aria-hidden", "true");
  return make("div", "", bar, legend);
}

function checks(rows) {
  if (!rows.length) return null;
  return make(
    "ul",
    "plain",
    ...rows.map((check) => {
      const good = check.exit_code === 0;
      const head =
        check.phase +
        " " +
        check.template_id +
        ": " +
        (check.timed_out ? "timed out" : "exit " + check.exit_code) +
        ", " +
        seconds(check.duration_ms);
      const tail =
        good || !check.output_tail
          ? null
          : scrolling([make("span", "", check.output_tail)], "Output of " + check.template_id);
      return make("li", "", sign(good ? SIGNS.pass : SIGNS.fail), head, tail);
    }),
  );
}

function scrolling(lines, label) {
  const pre = make("pre", "", make("code", "", ...lines));
  pre.tabIndex = 0;
  pre.setAttribute("role", "group");
  pre.setAttribute("aria-label", label);
  return pre;
}

// The name of the file that a part of a diff is about, as git writes it in one of four places.
function path_of(head) {
  const named = /^(?:\+\+\+ "?b|--- "?a)\/(.*?)"?\t?$/m,
    both = /^diff --git "?a\/(.*?)"? "?b\/\1"?$/m;
  const found =
    /^rename to "?(.*?)"?$/m.exec(head) ||
    /^\+\+\+ "?b\/(.*?)"?\t?$/m.exec(head) ||
    named.exec(head) ||
    both.exec(head);
  return found ? found[1].replace(/\\(["\\])/g, "$1") : "(its name was cut off)";
}

function diff(text, violations) {
  if (!text) return null;
  const files = text.split(/^(?=diff --git )/m).filter((part) => part.trim());
  return make(
    "div",
    "",
    ...files.map((part, place) => {
      const start = part.search(/^@@/m),
        head = start < 0 ? part : part.slice(0, start),
        path = path_of(head);
      const bad = violations.some(
        (v) =>
          v === path ||
          v.startsWith(path + " (") ||
          v.startsWith(path + ":") ||
          (v.endsWith("…") && path.startsWith(v.slice(0, -1))),
      );
      const meta = head
        .trimEnd()
        .split("\n")
        .filter((line) => line && !/^(diff --git|index|---|\+\+\+) /.test(line))
        .map((line) => make("span", "meta", line + "\n"));
      const body = start < 0 ? [] : part.slice(start).replace(/\n$/, "").split("\n");
      const counted = (sign) => body.filter((line) => line[0] === sign).length;
      const lines = body.map((line) =>
        make("span", { "+": "added", "-": "deleted", "@": "hunk", "\\": "meta" }[line[0]] || "", line + "\n"),
      );
      const size = body.length ? make("small", "", "+" + counted("+") + " −" + counted("-")) : null;
      const box = make(
        "details",
        "",
        make("summary", "mono", make("span", "path", path), size, bad ? make("span", "flag", "violation") : null),
        scrolling(meta.concat(lines), "Diff of " + path),
      );
      box.open = place < 3 || bad;
      return box;
    }),
  );
}

const PAGE_SIZE = 100;
let shown = [],
  drawn = 0;
function draw() {
  const part = document.createDocumentFragment(),
    more = Math.max(PAGE_SIZE, drawn); // twice as many each time: the end is never far
  for (const run of shown.slice(drawn, drawn + more)) part.append(row(run));
  drawn = Math.min(shown.length, drawn + more);
  at("runs").append(part);
}
function filter() {
  const words = at("query").value.toLowerCase().split(/\s+/).filter(Boolean);
  const verdicts = [...document.querySelectorAll("#verdicts input:checked")].map((box) => box.value);
  const code = at("code").value,
    milestone = at("milestone").value;
  shown = runs.filter(
    (run) =>
      verdicts.includes(run.verdict) &&
      (!code || run.code === code) &&
      (!milestone || run.milestone === milestone) &&
      words.every((word) => run.words.includes(word)),
  );
  at("runs").hidden = true;
  void at("runs").offsetHeight; // rows that are not laid out go twenty times faster, and there may be thousands
  at("runs").replaceChildren();
  drawn = 0;
  draw();
  at("runs").hidden = false;
  at("count").textContent =
    shown.length === runs.length
      ? plural(runs.length, "run")
      : whole(shown.length) + " of " + plural(runs.length, "run");
  at("end").replaceChildren(
    ...(shown.length
      ? []
      : [make("p", "empty", runs.length ? "No run fits this filter." : "No runs yet. Type: relais run")]),
  );
}
function choices(id, all, values) {
  at(id).append(new Option(all, ""), ...[...new Set(values)].sort().map((value) => new Option(value, value)));
  at(id).addEventListener("change", filter);
}
// The run that the address names, opened; one far down stands alone, under a filter that says so.
function follow() {
  const id = location.hash.slice(1),
    place = runs.findIndex((run) => run.id === id);
  if (place < 0) return;
  if (!at(id)) {
    document.querySelector("form").reset();
    at("query").value = place < PAGE_SIZE ? "" : id;
    filter();
  }
  const button = at(id).firstChild;
  if (button.getAttribute("aria-expanded") !== "true") button.click();
  at(id).scrollIntoView();
}
for (const verdict of Object.keys(MARKS)) {
  const box = make("input");
  Object.assign(box, { type: "checkbox", value: verdict, checked: true, defaultChecked: true });
  box.addEventListener("change", filter);
  at("verdicts").append(make("label", verdict, box, MARKS[verdict] + " " + verdict));
}
choices(
  "code",
  "any code",
  runs.map((run) => run.code),
);
choices(
  "milestone",
  "any milestone",
  runs.map((run) => run.milestone),
);
at("query").addEventListener("input", filter);
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input[type=search], select") || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    at("query").focus();
  }
});
const watcher = new IntersectionObserver(
  (entries) => {
    if (entries.some((entry) => entry.isIntersecting) && drawn < shown.length) {
      draw();
      // Whoever drags the bar to the end is there again before anybody saw the end go out of sight: look anew.
      watcher.unobserve(at("end"));
      watcher.observe(at("end"));
    }
  },
  { rootMargin: "1200px" },
);
watcher.observe(at("end"));
summary();
timeline();
budgets();
filter();
follow();
addEventListener("hashchange", follow);
