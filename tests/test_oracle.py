"""Whole ticks against the oracle's second opinion: what must be committed, what must be as before, what the report must say.

The long form: ORACLE_SEED=7 ORACLE_COUNT=1000 make test ARGS='tests/test_oracle.py -m slow'. One seed again, made
smaller if it fails: PYTHONPATH=src:tests:tools .venv/bin/python tests/oracle.py SEED 1
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from oracle import a_case, clear_away, make_template, play, shrunk, told

# A commit out of the sandbox; a worktree; a link out of the repo, and a file, in the place of a folder of by-products.
QUICK = [6259, 961, 1420, 301]
FIRST = int(os.environ.get("ORACLE_SEED", "1"))
COUNT = int(os.environ.get("ORACLE_COUNT", "100"))


@pytest.fixture(scope="module")
def stage_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("oracle"))


def faults_of(seed: int, template: Path, folder: Path) -> str:
    """What is wrong with a case, with all that is needed to play it again, made smaller."""
    room = folder / str(seed)
    room.mkdir()
    _, fault = play(seed, template, room)
    clear_away(room)
    if not fault:
        return ""
    smaller = shrunk(a_case(seed), template, folder)
    return f"{told(a_case(seed), fault)}\nsmaller:\n{told(smaller, 'the same, or another')}"


@pytest.mark.parametrize("seed", QUICK)
def test_a_tick_comes_to_what_the_oracle_says(seed: int, stage_template: Path, tmp_path: Path) -> None:
    assert faults_of(seed, stage_template, tmp_path) == ""


@pytest.mark.slow
def test_many_ticks_come_to_what_the_oracle_says(stage_template: Path, tmp_path: Path) -> None:
    found = [fault for seed in range(FIRST, FIRST + COUNT) if (fault := faults_of(seed, stage_template, tmp_path))]

    assert not found, "\n\n".join(found)
