"""REPORT.md and one-line digests: pure functions of REPORT.json."""

from __future__ import annotations

from relais.contract.state import COUNTERS, Digest
from relais.text.words import blast_line, clip, counted, cut, shortened, visible
from relais.typed import Iterator, Json, Sequence


def rendered(report: Json, limit: int) -> str:
    """REPORT.md: a pure function of REPORT.json."""
    task, budgets = report["task"], report["budgets"]
    lines = [
        f"# {report['code']}",
        "",
        f"- verdict: {report['verdict']}",
        f"- task: {visible(task['task_id'])} ({task['task_kind']}, milestone {visible(task['milestone_id'])})",
        f"- intent: {visible(' '.join(task['intent'].split()))}",
        f"- blast radius: {blast_line(report['blast_radius'])}",
        f"- run: {report['run_id']}, {report['duration_ms'] / 1000:.1f} s, base {report['base_commit'][:12]}, head {report['head_commit'][:12]}",
        *rendered_outcome(report),
        *section("Violations", [f"- {visible(v)}" for v in report["scope"]["violations"]]),
        *section("Touched", [f"- {visible(p)}" for p in shortened(report["scope"]["touched_paths"], 50)]),
        *section("Verification", [line for run in report["verification"]["runs"] for line in rendered_check(run)]),
        *section("Review", [rendered_criterion(row) for row in report.get("review", {}).get("criteria", ())]),
        *section("Warnings", [f"- {visible(w)}" for w in budgets["warnings"]]),
        *section("Spent", [f"- {name}: {budgets[name]}" for name in (*COUNTERS, "estimated_cost_usd")]),
        *section("Calls", [rendered_call(call) for call in report.get("agent", {}).get("calls", ())]),
    ]
    return cut("\n".join(lines), limit - 1, keep="start") + "\n"


def section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def rendered_outcome(report: Json) -> Iterator[str]:
    error, commit, rollback = report.get("error"), report.get("commit"), report.get("rollback")
    builder, question, control = report.get("builder"), report.get("question"), report.get("control")
    if error:
        yield f"- error: {error['kind']}: {visible(error['detail'])}"
    if commit:
        yield f"- commit: {commit['id'][:12]} {visible(commit['subject'])}"
    if rollback:
        saved = f", the work is saved as {rollback['rescue_ref']}" if rollback.get("rescue_ref") else ""
        yield f"- rollback: {'complete' if rollback['ok'] else 'NOT complete'}{saved}"
    if builder:
        means = report.get("sandbox")
        confined = "" if means is None else ", not confined" if means == "none" else f", confined by {means}"
        yield f"- builder: {builder['mode']}{confined}, output {'valid' if builder['output_valid'] else 'not valid'}"
    if question:
        yield f"- question: {visible(question['prompt'])}"
        yield from (f"  {number}. {visible(choice)}" for number, choice in enumerate(question.get("choices", ()), 1))
    if control:
        yield f"- control: {control['action']} {visible(control.get('reason', ''))}"


def rendered_check(run: Json) -> Iterator[str]:
    outcome = "timed out" if run["timed_out"] else f"exit {run['exit_code']}"
    yield f"- {run['phase']} {run['template_id']}: {outcome}, {run['duration_ms']} ms"
    if run["exit_code"] and run.get("output_tail"):
        yield from ("    " + visible(line) for line in run["output_tail"].splitlines())


def rendered_criterion(row: Json) -> str:
    return f"- {row['verdict']}: {visible(row['criterion'])} ({visible(row['evidence'])})"


def rendered_call(call: Json) -> str:
    cost = f"{call['cost_usd']:.4f} USD" if "cost_usd" in call else "cost unknown"
    usage = ", ".join(f"{name} {count}" for name, count in call.get("usage", {}).items())
    return f"- {call['role']}: {call['duration_ms']} ms, {cost}{f', {usage}' if usage else ''}"


def without_cost(calls: int) -> str:
    return f", and {counted(calls, 'call')} of unknown cost" if calls else ""


def cost_of(report: Json) -> tuple[float, int]:
    """What the agents of a run say it cost, and how many of its calls do not say."""
    calls = report.get("agent", {}).get("calls", ())
    return sum(call.get("cost_usd", 0.0) for call in calls), sum("cost_usd" not in call for call in calls)


def digest_of_run(report: Json) -> Digest:
    intent = clip(visible(" ".join(report["task"]["intent"].split())), 120)
    return Digest(report["run_id"], report["code"], intent, blast_line(report["blast_radius"]))


def digest_line(report: Json) -> str:
    digest = digest_of_run(report)
    return f"{digest.run_id} {digest.code}: {digest.intent} ({digest.blast})"


def run_time(run_id: str) -> str:
    """When a run began, as people write it: its id is made of that."""
    return f"{run_id[:4]}-{run_id[4:6]}-{run_id[6:8]} {run_id[9:11]}:{run_id[11:13]}"
