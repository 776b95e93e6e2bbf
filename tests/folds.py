"""The two shapes of relais.py: folded, as it is shipped, and unfolded, as editors, mypy and ruff are shown it.

They differ in the fences alone, which are code in the one and comments in the other, and are the same program.

    python tests/folds.py fold|unfold      rewrite relais.py
    python tests/folds.py show             print it unfolded
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

RELAIS = Path(__file__).resolve().parent.parent / "relais.py"
FENCE = r"""(fold\("\w+", r'''|'''\))$"""


def unfolded(source: str) -> str:
    return re.sub(f"^{FENCE}", r"# \1", source, flags=re.MULTILINE)


def folded(source: str) -> str:
    return re.sub(f"^# {FENCE}", r"\1", source, flags=re.MULTILINE)


def main(word: str) -> None:
    source = RELAIS.read_text("utf-8")
    if word == "show":
        sys.stdout.buffer.write(unfolded(source).encode())
    else:
        RELAIS.write_text({"fold": folded, "unfold": unfolded}[word](source), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
