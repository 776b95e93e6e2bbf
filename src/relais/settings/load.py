"""The configuration with every default filled in, or BLOCKED with the place."""

from __future__ import annotations

import contextlib
import json
import os

from relais.contract.codes import CONFIG_FILE
from relais.contract.config import Config
from relais.contract.findings import Halt, unfit
from relais.settings.admission import validator
from relais.settings.faults import closest, config_faults, unknown_keys
from relais.text.documents import Invalid, decode
from relais.text.words import visible
from relais.typed import Json, Mapping, Optional, cast
from relais.world.carried import asset
from relais.world.claim import vault_of, vault_of_path
from relais.world.files import is_inside, read_json
from relais.world.repo import Repo, open_repo
from relais.world.vault import Journal, load_journal


def load_config(repo: Repo) -> Config:
    """A1, row 1: the configuration with every default filled in, or BLOCKED_MISSING_CONFIG with the place."""
    path = os.path.join(repo.root, CONFIG_FILE)
    if not os.path.lexists(path):
        raise unfit(f"{CONFIG_FILE} is missing", "relais init")
    try:
        document = read_json(path)
    except OSError as problem:
        raise unfit(f"{CONFIG_FILE} cannot be read: {problem.strerror or problem}", f"ls -l {CONFIG_FILE}") from None
    except ValueError as problem:
        raise unfit(f"{CONFIG_FILE} is not valid JSON: {visible(str(problem))}") from None
    for key, candidates in unknown_keys(document, json.loads(asset("schemas/config.schema.json"))):
        near = closest(key.rpartition(".")[2], candidates)
        hint = f", did you mean {near}?" if near else f" (known here: {', '.join(candidates)})"
        raise unfit(f"{CONFIG_FILE}: {visible(key)} is not a known key{hint}")
    try:
        validator("config", repo.root, "relais/schemas/config.schema.json")(document)
        config = decoded_config(document)
    except Invalid as problem:
        raise unfit(f"{CONFIG_FILE}: {visible(str(problem))}") from None
    refuse_foreign_workspace(repo, config.workspace_dir)
    for fault in config_faults(config):
        raise unfit(f"{CONFIG_FILE}: {visible(fault)}")
    return config


def decoded_config(document: Json) -> Config:
    """The configuration; `verification.sandbox` was once true or false."""
    config = cast(Config, decode(Config, document))
    wanted = config.verification.sandbox
    words: Mapping[object, str] = {True: "on", False: "off"}
    return config._replace(verification=config.verification._replace(sandbox=words.get(wanted, wanted)))


def refuse_foreign_workspace(repo: Repo, workspace: str) -> None:
    """A workspace that is a link to somewhere else would have relais write, and tidy up, there."""
    if not is_inside(repo.root, workspace):
        raise unfit(f"{workspace} is a link that leads out of the repo", f"ls -ld {workspace}")


def opened(folder: str) -> tuple[Repo, Config]:
    """The repository and its configuration; those of an interrupted tick where its builder broke them."""
    repo = None
    try:
        repo = open_repo(folder)
        return repo, load_config(repo)
    except Halt:
        journal = (load_journal(vault_of(repo)) if repo else None) or interrupted_above(folder)
        if journal is None:
            raise
        return repo or Repo(*journal.repo), decoded_config(json.loads(journal.config))


def interrupted_above(start: str) -> Optional[Journal]:
    """The journal of a tick that was cut off in this folder or one above it."""
    root = os.path.realpath(start)
    while not vault_of_path(root).has_journal:
        if os.path.dirname(root) == root:
            return None
        root = os.path.dirname(root)
    return load_journal(vault_of_path(root))


def quick_config(repo: Repo) -> Config:
    """The configuration without asking its schema; one that cannot be used is told as `run` would tell it."""
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
        return decoded_config(read_json(os.path.join(repo.root, CONFIG_FILE)))
    return load_config(repo)
