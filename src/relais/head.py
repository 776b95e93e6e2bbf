#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///
# Built: not for your formatter, linter or type checker.
# fmt: off
# ruff: noqa: PGH004
# ruff: noqa
# flake8: noqa
# isort: skip_file
# pylint: skip-file
# mypy: ignore-errors
# pyright: basic, reportGeneralTypeIssues=false
# type: ignore
"""Relais: one safe step of agent coding at a time. Brain → Hands → Judge.

A tick asks an agent for exactly one task (Brain), lets an agent carry it out (Hands), then looks at what really
happened and either commits it or puts everything back (Judge). This is the whole program in one file: copy it into a
git repo, then `python3 -I relais.py init`.

Built from src/relais by `make relais.py`: edit there. Each part below is one of its modules, word for word but for the
quotes round annotations, without the imports between them, behind those that it needs. Start at tick/tick.py; above every part stands its name:

{{CONTENTS}}

relais {{VERSION}}, built from sources {{SOURCES}}
sha256 of this file, counted with zeros here and at its end:
{{WHOLE}}
"""

import sys

if sys.version_info < (3, 9):
    sys.exit(f"relais: needs Python 3.9 or newer, this is {sys.version.split()[0]}; try: python3.11 -I relais.py")
