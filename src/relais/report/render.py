"""REPORT.md and one-line digests: pure functions of REPORT.json."""

from __future__ import annotations

from relais.contract.state import COUNTERS, Digest
from relais.text.harmless import for_markdown, markdown_block
from relais.text.words import blast_line, clip, counted, shortened, visible
from relais.typed import Iterator, Json, Sequence


def rendered(report: Json, limit: int) -> str:
    """REPORT.md: a pure function of REPORT.json."""
    task, budgets = report["task"], report["budgets"]
    lines = [
        f"# {report['code']}",
        "",
        f"- verdict: {report['verdict']}",
        f"- task: {for_markdown(task['task_id'])} ({task['task_kind']}, milestone {for_markdown(task['milestone_id'])})",
        f"- intent: {for_markdown(' '.join(task['intent'].split()))}",
        f"- blast radius: {blast_line(report['blast_radius'])}",
        f"- run: {report['run_id']}, {report['duration_ms'] / 1000:.1f} s, base {report['base_commit'][:12]}, head {report['head_commit'][:12]}",
        *rendered_outcome(report),
        *section("Violations", [f"- {for_markdown(v)}" for v in report["scope"]["violations"]]),
        *section("Touched", [f"- {for_markdown(p)}" for p in shortened(report["scope"]["touched_paths"], 50)]),
        *section("Verification", [line for run in report["verification"]["runs"] for line in rendered_check(run)]),
        *section("Review", [rendered_criterion(row) for row in report.get("review", {}).get("criteria", ())]),
        *section("Warnings", [f"- {for_markdown(w)}" for w in budgets["warnings"]]),
        *section("Spent", [f"- {name}: {budgets[name]}" for name in (*COUNTERS, "estimated_cost_usd")]),
        *section("Calls", [rendered_call(call) for call in report.get("agent", {}).get("calls", ())]),
    ]
    return whole_lines(lines, limit)


def whole_lines(lines: Sequence[str], limit: int) -> str:
    """As many whole lines as fit, and how many were left out: half of one could end inside what makes it harmless."""
    lines = [line for text in lines for line in text.split("\n")]
    kept, room = 0, limit - len("[… 999999 lines left out …]\n")
    if sum(len(line) + 1 for line in lines) <= limit:
        return "".join(f"{line}\n" for line in lines)
    while len(lines[kept]) < room:
        room -= len(lines[kept]) + 1
        kept += 1
    return "".join(f"{line}\n" for line in (*lines[:kept], f"[… {len(lines) - kept} lines left out …]"))


def section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def rendered_outcome(report: Json) -> Iterator[str]:
    error, commit, rollback = report.get("error"), report.get("commit"), report.get("rollback")
    made = report.get("byproducts")
    builder, question, control = report.get("builder"), report.get("question"), report.get("control")
    if error:
        yield f"- error: {for_markdown(error['kind'])}: {for_markdown(error['detail'])}"
    if commit:
        yield f"- commit: {commit['id'][:12]} {for_markdown(commit['subject'])}"
    if rollback:
        saved = f", the work is saved as {for_markdown(rollback['rescue_ref'])}" if rollback.get("rescue_ref") else ""
        yield f"- rollback: {'complete' if rollback['ok'] else 'NOT complete'}{saved}"
    if made:
        counts = f"{made['set_aside']} set aside, {made['brought_back']} brought back"
        yield f"- by-products: {counts}, {made['seconds']:.1f} s"
    if builder:
        means = report.get("sandbox")
        confined = "" if means is None else ", not confined" if means == "none" else f", confined by {means}"
        yield f"- builder: {builder['mode']}{confined}, output {'valid' if builder['output_valid'] else 'not valid'}"
    if question:
        yield f"- question: {for_markdown(question['prompt'])}"
        yield from (
            f"  {number}. {for_markdown(choice)}" for number, choice in enumerate(question.get("choices", ()), 1)
        )
    if control:
        yield f"- control: {control['action']} {for_markdown(control.get('reason', ''))}"


def rendered_check(run: Json) -> Iterator[str]:
    outcome = "timed out" if run["timed_out"] else f"exit {run['exit_code']}"
    yield f"- {run['phase']} {for_markdown(run['template_id'])}: {outcome}, {run['duration_ms']} ms"
    if run["exit_code"] and run.get("output_tail"):
        yield from markdown_block(run["output_tail"])


def rendered_criterion(row: Json) -> str:
    return f"- {row['verdict']}: {for_markdown(row['criterion'])} ({for_markdown(row['evidence'])})"


def rendered_call(call: Json) -> str:
    cost = f"{call['cost_usd']:.4f} USD" if "cost_usd" in call else "cost unknown"
    usage = ", ".join(f"{for_markdown(name)} {count}" for name, count in call.get("usage", {}).items())
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
