"""Which vault is a repository's: by a word in its git folder and that folder's inode, not by its path."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from enum import IntEnum

from relais.contract.codes import Code
from relais.contract.evidence import Manifest
from relais.contract.findings import Halt, halt, unfit
from relais.text.paths import lies_in
from relais.text.words import visible
from relais.typed import NamedTuple, Optional
from relais.world.files import read_bytes, read_text, remove, remove_tree, write_atomic, write_derived
from relais.world.host import digest_of, quoted, state_home
from relais.world.looks import look_at, regular_files
from relais.world.repo import Repo
from relais.world.vault import Vault, journal_of, load_journal, unsealed_before

ID_FILE = "relais-id"
# Short, because it is part of every TMPDIR: the name of a Unix socket below that has room for a hundred bytes.
WORD_BYTES = 10
WORD = f"[0-9a-f]{{{2 * WORD_BYTES}}}"
# Sealed since the vault has a key; a vault of the version before that is taken over with these.
OLD_DOCUMENTS = ("journal", "kept", "spent", "committing", "reported")


class Adoption(IntEnum):
    """How a repository came to a vault: by itself, or by the person's word."""

    NONE = 0
    # From a backup or another disk: its word fits, but its times say nothing about who changed what.
    BROUGHT_BACK = 1
    # Nothing shows that it is the same.
    STRANGER = 2


class Owner(NamedTuple):
    """Whose vault this is."""

    path: str
    inode: int
    adoption: int = 0


class Claim(NamedTuple):
    """Which vault is surely a repository's, and which has an unfinished run that may be its."""

    folder: str = ""
    rival: str = ""
    original: str = ""


def vaults_home() -> str:
    """Where all vaults of this user lie."""
    return os.path.join(state_home(), "relais")


def folder_of_path(root: str) -> str:
    """What is known of a path: the vault of the repository that was last there. Once, this was the vault itself."""
    return os.path.join(vaults_home(), digest_of(os.fsencode(root)).hex()[:16])


def vault_of_path(root: str) -> Vault:
    name = small_text(os.path.join(folder_of_path(root), "vault"))
    is_name = re.fullmatch(rf"{WORD}(-[0-9a-f]{{8}})?", name)
    return Vault(os.path.join(vaults_home(), name) if is_name else folder_of_path(root))


def vault_of(repo: Repo) -> Vault:
    """This repository's vault as far as there is one, else a place for what may be lost; nothing is made or asked."""
    return Vault(claim_of(repo).folder or folder_of_path(repo.root))


def claim_of(repo: Repo) -> Claim:
    """Whose is what lies there: sure by word and inode, or because a file is still the very one of its journal."""
    word = word_in(repo)
    named = [Vault(folder_of_word(repo, word))] if word else []
    for vault in named:
        if is_owner(repo, vault) and not living_original(repo, vault):
            return Claim(vault.folder)
    for vault in (*named, vault_of_path(repo.root)):
        is_sealed = vault.folder != folder_of_path(repo.root)
        if is_sealed and vault.has_journal and is_recognised(repo, vault) and not living_original(repo, vault):
            return Claim(vault.folder)
        if vault.has_journal:
            return Claim(rival=vault.folder, original=living_original(repo, vault))
    return Claim()


def word_in(repo: Repo) -> str:
    word = small_text(os.path.join(repo.common_dir, ID_FILE)).strip()
    return word if re.fullmatch(WORD, word) else ""


def small_text(path: str) -> str:
    with contextlib.suppress(OSError):
        return read_bytes(path, 100).decode("ascii", "replace")
    return ""


def folder_of_word(repo: Repo, word: str) -> str:
    """Each linked worktree has a vault of its own."""
    own = f"-{digest_of(os.fsencode(repo.own_prefix)).hex()[:8]}" if repo.own_prefix else ""
    return os.path.join(vaults_home(), word + own)


def owner_of(vault: Vault) -> Optional[Owner]:
    row = vault.read("owner")
    return Owner(*row) if isinstance(row, tuple) and len(row) == len(Owner._fields) else None


def adoption_of(vault: Vault) -> Adoption:
    owner = owner_of(vault)
    return Adoption(owner.adoption) if owner else Adoption.NONE


def is_owner(repo: Repo, vault: Vault) -> bool:
    owner = owner_of(vault)
    return owner is not None and owner.inode == inode_of(repo.git_dir)


def inode_of(path: str) -> int:
    """Not the device: that may be another one after a reboot."""
    with contextlib.suppress(OSError):
        return os.lstat(path).st_ino
    return 0


def is_recognised(repo: Repo, vault: Vault) -> bool:
    """Whether a file here is still the very one that the journal saw: no copy and no clone has its time of change."""
    journal = load_journal(vault) or journal_of(unsealed_before(vault.path("journal")))
    grounds = ((repo.common_dir, journal.git), (repo.root, journal.tree)) if journal else ()
    return any(has_same_file(root, manifest) for root, manifest in grounds)


def has_same_file(root: str, manifest: Manifest) -> bool:
    return any(look_at(os.path.join(root, path)) == entry for path, entry, _ in regular_files(manifest))


def living_original(repo: Repo, vault: Vault) -> str:
    """Where the owner of a vault still is, if that is another place than here: then this is a copy, or none of it."""
    owner = owner_of(vault)
    if owner is None:
        return ""
    git_dir = os.path.join(owner.path, ".git")
    is_there = owner.inode == inode_of(git_dir)
    has_word = small_text(os.path.join(git_dir, ID_FILE)).strip() == os.path.basename(vault.folder)
    return owner.path if is_there and has_word and not is_same_folder(git_dir, repo.git_dir) else ""


def is_same_folder(one: str, other: str) -> bool:
    with contextlib.suppress(OSError):
        return os.path.samefile(one, other)
    return False


def claimed(repo: Repo, decision: str = "") -> Vault:
    """The open vault of this repository, made where there is none. `decision` settles whose an unfinished run is."""
    refuse_place(repo)
    claim = claim_of(repo)
    if claim.rival and decision == "anew":
        let_go(repo, claim)
    elif claim.rival and (decision != "adopt" or claim.original):
        raise disputed(repo, claim)
    elif claim.rival:
        is_known = claim.rival == folder_of_word(repo, word_in(repo)) or is_recognised(repo, Vault(claim.rival))
        vault = adopted(repo, claim)
        own(repo, vault, Adoption.BROUGHT_BACK if is_known else Adoption.STRANGER)
        return vault
    vault = opened_vault(claim.folder or folder_of_word(repo, word_to_use(repo)))
    own(repo, vault)
    return vault


def visited(repo: Repo) -> Vault:
    """The open vault for a command that may write nothing in the repo: where there is none yet, one without a memory."""
    refuse_place(repo)
    return opened_vault(vault_of(repo).folder)


def refuse_dispute(repo: Repo) -> None:
    claim = claim_of(repo)
    if claim.rival:
        raise disputed(repo, claim)


def word_to_use(repo: Repo) -> str:
    """The word that this repository's other worktrees have brought in, or a new one."""
    word = word_in(repo)
    return word if word and not os.path.lexists(folder_of_word(repo, word)) else os.urandom(WORD_BYTES).hex()


def opened_vault(folder: str) -> Vault:
    private_folder(vaults_home())
    vault = Vault(private_folder(folder))
    vault.open()
    return vault


def own(repo: Repo, vault: Vault, adoption: Adoption = Adoption.NONE) -> None:
    """Write down whose this is: in the vault, at the path, and last in the repository's git folder."""
    known, inode = owner_of(vault), inode_of(repo.git_dir)
    adoption = max(adoption, adoption_of(vault)) if vault.has_journal else Adoption.NONE
    owner = Owner(repo.root, inode or (known.inode if known else 0), int(adoption))
    if owner != known:
        vault.write("owner", tuple(owner))
    name, place = os.path.basename(vault.folder), private_folder(folder_of_path(repo.root))
    if small_text(os.path.join(place, "vault")) != name:
        forget_old_contents(place)
        write_derived(os.path.join(place, "vault"), name.encode())
    word = name.partition("-")[0]
    if word_in(repo) != word:
        with contextlib.suppress(OSError):  # gone, or not ours: what is wrong with it is said later, and better
            write_atomic(os.path.join(repo.common_dir, ID_FILE), f"{word}\n".encode())


def forget_old_contents(place: str) -> None:
    """What the version that kept vaults by path left here, copies all of them; never what an unfinished run needs."""
    if not os.path.lexists(os.path.join(place, "journal")):
        for name in ("data", "kept", "sandbox", "sizes"):
            remove(os.path.join(place, name))
        for name in ("git", "links", "probe", "empty", "patch-objects"):
            remove_tree(os.path.join(place, name))


def adopted(repo: Repo, claim: Claim) -> Vault:
    """The vault of an unfinished run that the person says is this repository's."""
    if claim.rival != folder_of_path(repo.root):
        return opened_vault(claim.rival)
    return taken_over(claim.rival, folder_of_word(repo, os.urandom(WORD_BYTES).hex()))


def taken_over(old: str, folder: str) -> Vault:
    """A vault from before vaults had a key, with its documents sealed."""
    os.rename(old, folder)
    vault = opened_vault(folder)
    for name in OLD_DOCUMENTS:
        document = unsealed_before(vault.path(name))
        if document is not None:
            vault.write(name, (document, None) if name == "kept" else document)
    vault.open()
    return vault


def let_go(repo: Repo, claim: Claim) -> None:
    """Leave an unfinished run where it is, and nothing here that leads to it: this repository begins anew."""
    of_path, of_word = folder_of_path(repo.root), folder_of_word(repo, word_in(repo))
    if claim.rival == of_path or (claim.rival == of_word and repo.own_prefix):
        os.rename(claim.rival, f"{claim.rival}.left-{os.urandom(4).hex()}")
    elif claim.rival == of_word:
        remove(os.path.join(repo.common_dir, ID_FILE))
    remove(os.path.join(of_path, "vault"))


def disputed(repo: Repo, claim: Claim) -> Halt:
    """An unfinished run that may be this repository's, or that of another one: only a person knows."""
    vault = Vault(claim.rival)
    journal = load_journal(vault) or journal_of(unsealed_before(vault.path("journal")))
    run_id = journal.run_id if journal else "its journal is damaged"
    if claim.original:
        detail = (
            f"a tick was cut off in {visible(claim.original)} ({run_id}); this repository is another one, or a copy"
        )
        ways = (f"relais recover -C {quoted(claim.original)}", "relais recover --anew")
    else:
        detail = (
            f"a tick was cut off in a repository at this path ({run_id}), and nothing shows that it was this one: "
            "--adopt if it was moved or brought back, --anew if this is another one"
        )
        ways = ("relais recover --adopt", "relais recover --anew")
    return halt(Code.BLOCKED_CRASH_RECOVERY_REQUIRED, detail, (visible(claim.rival),), ways)


# --- the place ----------------------------------------------------------------------------------


def refuse_place(repo: Repo) -> None:
    """A vault that others could replace, or that lies in the repository, is none."""
    home = vaults_home()
    for inside in (repo.root, repo.common_dir):
        if lies_in(home, inside):
            raise unfit(f"the vault would lie in the repository ({visible(home)})", "export XDG_STATE_HOME=…")
    weak = weak_parent(home)
    if weak:
        detail = f"the vault would lie below {visible(weak)}, where others could replace it"
        raise unfit(detail, f"ls -ld {quoted(weak)}; export XDG_STATE_HOME=…")


def weak_parent(path: str) -> str:
    """The first folder on the way to `path` that somebody else could change; "" where there is none."""
    folder = "/"
    for name in path.split("/"):
        folder = os.path.join(folder, name)
        try:
            seen = os.lstat(folder)
        except FileNotFoundError:
            return ""
        if not is_safe_folder(seen.st_mode, seen.st_uid, seen.st_gid):
            return folder
    return ""


def is_safe_folder(mode: int, uid: int, gid: int) -> bool:
    """Whether only we and root can change what is in a folder: ours or root's, closed to others or sticky."""
    by_others = bool(mode & 0o002) or (bool(mode & 0o020) and gid not in (0, os.getegid()))
    # In a container root's own folders may belong to nobody that exists there.
    is_trusted = uid in (0, os.geteuid()) or (is_unmapped(uid) and not mode & 0o022)
    return stat.S_ISDIR(mode) and is_trusted and (not by_others or bool(mode & stat.S_ISVTX))


def is_unmapped(uid: int) -> bool:
    """Whether this number stands for everybody whom a user namespace does not know."""
    rows = [line.split() for line in read_text("/proc/self/uid_map").splitlines()]
    is_known = any(int(first) <= uid < int(first) + int(count) for first, _, count in rows)
    return uid == OVERFLOW_UID and bool(rows) and not is_known


OVERFLOW_UID = 65534


def private_folder(path: str) -> str:
    """A folder of ours alone, made where there is none; refused where it is a link or somebody else's."""
    try:
        os.makedirs(path, 0o700)
    except FileExistsError:
        pass
    except PermissionError as problem:
        raise unfit(
            f"there is no place for the vault: {problem.strerror}: {visible(path)}", "export XDG_STATE_HOME=…"
        ) from None
    seen = os.lstat(path)
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.geteuid():
        raise unfit(f"{visible(path)} is a link, or belongs to somebody else", "export XDG_STATE_HOME=…")
    if stat.S_IMODE(seen.st_mode) != 0o700:
        os.chmod(path, 0o700)
    return path
