"""`relais drill` proves the guards, and would not if one of them were broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import RELAIS, Document, Repo

from relais.commands.attack_table import ATTACKS
from relais.commands.drill import lacks, why_untried
from relais.contract.codes import Code
from relais.contract.config import Config
from relais.rules.tables import JUDGE_RULES


def drill(repo: Repo, *guard: str) -> tuple[int, list[Document]]:
    done = repo.relais("drill", "--json", *guard, timeout=300)
    rows: list[Document] = json.loads(done.stdout)["drills"]
    return done.returncode, rows


@pytest.mark.parametrize("guard", ["git", "kinds", pytest.param("", marks=pytest.mark.slow)])
def test_every_guard_fires_and_everything_is_restored(guard: str, repo: Repo, tmp_path: Path) -> None:
    before, head = repo.tree(), repo.head
    repo.env["TMPDIR"] = str(tmp_path)

    status, rows = drill(repo, *filter(None, [guard]))

    assert [row for row in rows if row["tried"] and not (row["fired"] and row["restored"])] == []
    assert (status, len(rows)) == (0, sum(guard in ("", attack.guard) for attack in ATTACKS))
    assert (repo.tree(), repo.head, repo.status) == (before, head, "")
    assert list(tmp_path.glob("relais-drill-*")) == []


def test_there_are_enough_attacks_and_each_says_what_it_does() -> None:
    assert len(ATTACKS) >= 70
    assert len({attack.what for attack in ATTACKS}) == len(ATTACKS)
    assert {attack.expected for attack in ATTACKS} <= {code.value for code in Code}


def test_every_row_of_the_judge_is_attacked() -> None:
    missing = {rule.code.value for rule in JUDGE_RULES} - {attack.expected for attack in ATTACKS}

    assert missing == set(), "add an attack: a function in assets/attacks.py, a row of ATTACKS in commands/drill.py"


def test_a_guard_that_does_not_exist(repo: Repo) -> None:
    done = repo.relais("drill", "moat")

    assert done.returncode == 2
    assert "scope" in done.stderr


def test_people_see_a_table(repo: Repo) -> None:
    done = repo.relais("drill", "names")

    assert done.stderr.startswith("✔ names ")
    assert done.stdout.endswith("3 attacks: every guard fired, everything was restored\n")
    assert "not guarded: no check is required" in done.stdout


LACKING = {
    "nothing confines a builder": (Config(), "none"),
    "Landlock confines here": (Config(), "landlock"),
    "builders are not confined": (Config(runner=Config().runner._replace(sandbox="off")), "namespaces"),
    "checks are not confined": (Config(verification=Config().verification._replace(sandbox="off")), "namespaces"),
    "no check is required": (Config(), "namespaces"),
    "nothing is scanned for secrets": (Config(scope=Config().scope._replace(secret_scan=False)), "namespaces"),
    "no test is protected": (Config(), "namespaces"),
    "hooks are not run": (Config(), "namespaces"),
}


@pytest.mark.parametrize("words", LACKING)
def test_a_guard_that_is_lacking_is_not_vouched_for(words: str) -> None:
    whole = Config()
    whole = whole._replace(
        verification=whole.verification._replace(required_fast=("test",)),
        scope=whole.scope._replace(protected_globs=("tests/**",)),
        git=whole.git._replace(run_hooks=True),
    )

    assert any(words in line for line in lacks(*LACKING[words]))
    assert lacks(whole, "namespaces") == []


def test_an_attack_on_a_guard_that_is_lacking_is_not_tried() -> None:
    unscanned = Config(scope=Config().scope._replace(secret_scan=False))
    named = {attack.what: attack for attack in ATTACKS}

    assert why_untried(named["adds a private key"], unscanned, "namespaces")
    assert why_untried(named["writes into your home"], Config(), "none")
    assert why_untried(named["writes into git's folder"], Config(), "landlock")
    assert [attack.what for attack in ATTACKS if why_untried(attack, Config(), "namespaces")] == []


# What breaks a guard in a copy of relais.py, and the guard whose drill must go red.
BROKEN = {
    "owned": ("runner", "lambda e: [path for path in e.touched.paths if e.fence.owned(path)],", "lambda e: (),"),
    "forbidden globs": ("scope", "forbidden=lambda path: path not in literal and forbidden(path),", "forbidden=lambda path: False,"),
    "git's folder": ("git", "    damage = damage_of(run, verdicts, [*closed, *wrong, *offences], [*warnings, *failures])\n", "    damage = damage_of(run, verdicts, [*closed, *wrong], [*warnings, *failures])\n"),
    "git's folder is put back": ("git", "    failures = undo(run, undone)\n", "    failures: list[str] = []\n"),
    "git's objects": ("objects", "    offences = [item.path for item in wrong if not is_leftover(run, item)]\n", "    offences: list[str] = []\n"),
    "outside": ("scope", "if is_outside(change, fence, submodules)]", "if False]"),
    "new files": ("scope", "lambda e: () if e.fence.allow_new_files else e.touched.new_paths,", "lambda e: (),"),
    "lockfiles": ("lockfile", "[p for p in e.touched.paths if e.fence.lockfile(p)]", "()"),
    "files and lines": ("size", "lambda e: excesses(e.touched, e.fence),", "lambda e: (),"),
    "bytes": ("size", '("bytes", touched.bytes_changed, fence.max_bytes),', ""),
    "questions": ("side effects", "e.touched.paths if e.kind is TaskKind.QUESTION else ()", "()"),
    "verify_only": ("side effects", "e.touched.paths if e.kind is TaskKind.VERIFY_ONLY else ()", "()"),
    "refs": ("refs", "lambda e: e.git.refs,", "lambda e: (),"),
    "secrets": ("secrets", "lambda e: e.secrets,", "lambda e: (),"),
    "protected": ("protected", 'if fence.protected(path) and change.status != "A":', "if False:"),
    "control files": ("control", "control=lambda path: path not in literal and (control(path) or path in settings_files),", "control=lambda path: False,"),
    "names": ("names", "if change.is_new and is_bad_name(path):", "if False:"),
    "special files": ("kinds", 'if after and after.kind == "special":', "if False:"),
    "hard links": ("kinds", 'if after and after.kind == "file" and after.nlink > 1:', "if False:"),
    "set-id bits": ("kinds", 'if after and after.permissions & 0o6000 and change.status != "D":', "if False:"),
    "links": ("kinds", 'if after and after.kind == "link" and is_escape(link_target(change), fence):', "if False:"),
    "ignored files": ("ignored", "volatile = set(filter(run.is_volatile, candidates))", "volatile = set(candidates)"),
    "failing checks": ("verification", "    if ran.exit_code == 0:\n        return None\n", "    return None\n"),
    "the look after checks": ("checks", "    finding = first_match(JUDGE_RULES_AFTER_CHECKS, evidence)\n", "    finding = None\n"),
    "the look after hooks": ("hooks", "        run_hooks(run)\n", "        run_hooks(run)\n        return\n"),
    "by-products": ("by-products", "    outdone = tidy(run, run.tree, run.byproducts, run.touched.changes)\n", "    return\n"),
    "what is shown": ("shown", '    return line if is_visible(line) else "".join(p if SPACES.match(p) else visible(p) for p in SPACES.split(line))\n', "    return line\n"),
    "parameters": ("verification", "    enforce(VERIFY_RULES, run.plan)\n", ""),
    "patches": ("patch", "        faults = patch_path_faults(patch)\n", "        faults = []\n"),
    "refusals": ("builder", 'enforce(HANDS_RULES, Answer(refusal=visible(document["summary"])', "(lambda *_: None)(HANDS_RULES, Answer(refusal=visible(document['summary'])"),
    "clocks": ("builder", "        if now - self.began >= self.call.wall:\n            return \"wall\"\n", ""),
    "leftover processes": ("processes", "        return end_children(set(spare))\n", "        return Swept(frozenset(), (), {})\n"),
    "the sandbox": ("sandbox", '    if sandbox == "none":\n        return {}\n', "    return {}\n"),
    "rollback": ("scope", "        put_back(run, run.tree, changes, \"tree\")\n", "        break\n"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("guard", "good", "bad"), BROKEN.values(), ids=BROKEN)
def test_a_broken_guard_is_noticed(guard: str, good: str, bad: str, repo: Repo) -> None:
    source = RELAIS.read_text("utf-8")
    repo.write("relais.py", source.replace(good, bad))
    repo.commit("a broken guard")

    done = repo.relais("drill", "--json", guard, timeout=300)

    assert done.returncode != 0
    assert "✘" in done.stderr or done.returncode == 20, "one that breaks the tick itself is noticed too"


@pytest.mark.parametrize("good", [good for _, good, _ in BROKEN.values()], ids=BROKEN)
def test_every_guard_is_where_it_is_broken(good: str) -> None:
    assert RELAIS.read_text("utf-8").count(good) == 1, "the guard has moved: find it again"


def test_every_guard_is_broken_once() -> None:
    assert {attack.guard for attack in ATTACKS} == {guard for guard, _, _ in BROKEN.values()}
