"""5 JUDGE: what really happened against what was allowed to; the reviewer."""

from __future__ import annotations

from relais.agents.ask import admitted_answer, ask, retry_reason
from relais.agents.call import enforce_call
from relais.agents.prompts import compact_schema, fill
from relais.contract.codes import TaskKind
from relais.contract.evidence import Evidence, Fence, GitDamage
from relais.contract.findings import Answer, enforce
from relais.contract.task import Task
from relais.judge.byproducts import clear_for_checks
from relais.judge.commit import committable
from relais.judge.lasting import made_of
from relais.judge.survey import survey
from relais.judge.tree import (
    altered,
    converted,
    found_secrets,
    make_real,
    measure,
    read_surveyed,
    refuse_restless,
    written_tree,
)
from relais.judge.verify import judged_ground, recheck, spend_late, verify
from relais.notebook.run import Ground, Run
from relais.rules.fence import shown_name
from relais.rules.tables import JUDGE_RULES, JUDGE_RULES_BEFORE_HASHING, REVIEW_RULES
from relais.text.words import clip, visible
from relais.typed import Json, Sequence, cast


def clipped_review(document: Json) -> Json:
    """A review as the report has it, whatever a person's own schema lets a reviewer say."""
    rows = [
        {
            "criterion": clip(row["criterion"], 400),
            "verdict": row["verdict"] if row["verdict"] in ("pass", "needs_human") else "fail",
            "evidence": clip(row["evidence"], 800),
        }
        for row in document["criteria"][:50]
    ]
    return {"summary": clip(document["summary"], 800), "criteria": rows}


def judge(run: Run, task: Task) -> None:
    """5 JUDGE: what really happened, against what was allowed to; then the project's own checks."""
    if not run.in_flight:  # nothing was run: whatever changed meanwhile is the person's
        return
    survey(run)
    evidence = Evidence(
        task.task_kind,
        cast(Fence, run.fence),
        run.touched,
        cast(GitDamage, run.git_damage),
        run.listing.submodules,
        ignored=run.ignored,
    )
    enforce(JUDGE_RULES_BEFORE_HASHING, evidence)
    clear_for_checks(run)
    weigh(run)
    told = tuple(f"{shown_name(path)}:{line} ({kind})" for path, line, kind in run.secrets)
    enforce(JUDGE_RULES, evidence._replace(touched=run.touched, secrets=told))
    make_real(run)
    if task.task_kind is TaskKind.EXECUTE and task.builder and not run.touched.changes:
        run.warn("no_changes")
    if task.task_kind is not TaskKind.QUESTION:
        verify(run)
    if run.config.review.enabled and run.touched.changes:
        judged = judged_ground(run, run.tree)
        review(run, task, judged)
        recheck(run, judged, "the reviewer", makes_byproducts=False)


def weigh(run: Run) -> None:
    """Read what was changed, once; scan it, make a tree of it, scan what git stored otherwise, count what differs."""
    run.judged = read_surveyed(run, run.touched.changes)
    run.secrets = found_secrets(run, run.judged)
    wanted = committable(run)
    tree = run.tree_id = written_tree(run, wanted)
    left_out = sum(change.growth for change in run.touched.changes if change.path not in wanted)
    found = made_of(run, tree, lambda: written_tree(run, wanted), lambda: measure(run, tree, left_out))
    run.secrets += found_secrets(run, converted(run, wanted, found.entries))
    refuse_restless(altered(run, run.judged))


INTENT_CRITERION = "The change does what the task's intent says, and nothing else."


def review(run: Run, task: Task, judged: Ground) -> None:
    """A fresh agent looks at the diff: what it does not find to hold, criterion by criterion, is not committed."""
    config, criteria = run.config.review, (INTENT_CRITERION, *run.config.review.criteria)
    diff = run.patch.decode("utf-8", "replace")
    if len(diff) > config.max_diff_chars:
        complaint = f"the diff has {len(diff)} characters, and only {config.max_diff_chars} could be shown"
        enforce(REVIEW_RULES, Answer(complaint=complaint))
    values = {
        "INTENT": task.intent,
        "CRITERIA": "\n".join(f"- {criterion}" for criterion in criteria),
        "VERIFICATION": "\n".join(f"{c.template_id}: exit {c.exit_code}" for c in run.checks) or "(nothing was run)",
        "DIFF": diff,
        "REVIEW_SCHEMA": compact_schema(run, "review_result"),
    }
    complaint = ""
    for _attempt in range(2):
        spend_late(run, judged, orchestrator_calls=1)
        prompt = fill(run.review_prompt, {**values, "RETRY_REASON": retry_reason(complaint)})
        reply = ask(run, "reviewer", prompt, config.timeout_seconds)
        enforce_call(run, REVIEW_RULES, reply)
        document, complaint = admitted_review(run, reply.text, criteria)
        if not complaint:
            run.review = clipped_review(document)
            failed = [row for row in run.review["criteria"] if row["verdict"] != "pass"]
            told = "; ".join(f"{row['verdict']}: {row['criterion']} ({row['evidence']})" for row in failed)
            enforce(REVIEW_RULES, Answer(complaint=visible(clip(told, 1500))))
            return
    enforce(REVIEW_RULES, Answer(complaint=f"the reviewer gave no valid answer: {complaint}"))


def admitted_review(run: Run, text: str, criteria: Sequence[str]) -> tuple[Json, str]:
    """The review in a reply, or why it is none: every criterion must be answered, and no other."""
    document, complaint = admitted_answer(run, "review_result", text)
    if complaint:
        return {}, complaint
    answered = [row["criterion"] for row in document["criteria"]]
    if sorted(answered) != sorted(criteria):
        return {}, "answer each criterion exactly once, in its own words"
    return document, ""
