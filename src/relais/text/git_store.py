"""What git keeps on disk, judged by its form: objects, pack indexes and what is derived from them, the index, refs, reflogs."""

from __future__ import annotations

import re
import struct

from relais.typed import Callable, NamedTuple, Optional

OBJECT_NAME = "[0-9a-f]{40}|[0-9a-f]{64}"
NAME_BYTES = {"sha1": 20, "sha256": 32}


def is_well_formed(content: bytes) -> bool:
    """Whether an inflated object is one that git can read: its header, and the parts of a tree, a commit or a tag."""
    header, _, body = content.partition(b"\0")
    said = re.fullmatch(rb"(blob|tree|commit|tag) (0|[1-9]\d*)", header)
    return said is not None and int(said.group(2)) == len(body) and OBJECT_FORMS[said.group(1).decode()](body)


def is_tree(body: bytes) -> bool:
    return is_tree_of(body, 20) or is_tree_of(body, 32)


def is_tree_of(body: bytes, width: int) -> bool:
    """Entries that fill it exactly, in git's order, each once, under names that may stand in a folder."""
    position, last = 0, b""
    while position < len(body):
        entry = re.compile(rb"(100644|100664|100755|120000|160000|40000) ([^\0/]+)\0").match(body, position)
        if entry is None or entry.end() + width > len(body) or entry.group(2).lower() in (b".", b"..", b".git"):
            return False
        place = entry.group(2) + (b"/" if entry.group(1) == b"40000" else b"")
        if place <= last or place == last + b"/":
            return False
        position, last = entry.end() + width, place
    return True


COMMIT_FORM = re.compile(
    rb"tree (%(name)s)\n(parent (%(name)s)\n)*author [^\n\0]*>[^\n\0]*\ncommitter [^\n\0]*>[^\n\0]*\n"
    % {b"name": OBJECT_NAME.encode()}
)
TAG_FORM = re.compile(
    rb"object (%s)\ntype (blob|tree|commit|tag)\ntag [^\n\0]+\n(tagger [^\n\0]*\n)?(\n|\Z)" % OBJECT_NAME.encode()
)

OBJECT_FORMS: dict[str, Callable[[bytes], bool]] = {
    "blob": lambda _: True,
    "tree": is_tree,
    "commit": lambda body: COMMIT_FORM.match(body) is not None,
    "tag": lambda body: TAG_FORM.match(body) is not None,
}


def parents_in(commit: bytes) -> list[str]:
    header = commit.partition(b"\n\n")[0]
    return [name.decode() for name in re.findall(rb"(?m)^parent (%s)$" % OBJECT_NAME.encode(), header)]


class PackIndex(NamedTuple):
    """Which objects a pack holds, and where; names in order."""

    names: tuple[bytes, ...]
    offsets: tuple[int, ...]
    pack_checksum: bytes


def parse_pack_index(content: bytes, width: int) -> Optional[PackIndex]:
    """A pack's .idx, of either version; None where it is none."""
    is_newer = content[:8] == b"\377tOc\0\0\0\2"
    table = 8 if is_newer else 0
    if len(content) < table + 1024 + 2 * width:
        return None
    (count,) = struct.unpack_from(">I", content, table + 1020)
    start, checksum = table + 1024, content[-2 * width : -width]
    if len(content) < start + count * (width + 4) + 2 * width:
        return None
    if not is_newer:
        step = width + 4
        places = range(start, start + count * step, step)
        names = tuple(content[place + 4 : place + step] for place in places)
        return PackIndex(names, tuple(int.from_bytes(content[p : p + 4], "big") for p in places), checksum)
    names = tuple(content[place : place + width] for place in range(start, start + count * width, width))
    offsets = pack_offsets(content, start + count * (width + 4), count)
    return None if offsets is None else PackIndex(names, offsets, checksum)


def pack_offsets(content: bytes, start: int, count: int) -> Optional[tuple[int, ...]]:
    """Offsets of four bytes each; one with its highest bit set is the number of a longer one behind them."""
    try:
        short = struct.unpack_from(f">{count}I", content, start)
        longer = start + 4 * count
        return tuple(
            struct.unpack_from(">Q", content, longer + 8 * (number & 0x7FFFFFFF))[0] if number >> 31 else number
            for number in short
        )
    except struct.error:
        return None


def reverse_index(index: PackIndex, digest: Callable[[bytes], bytes]) -> bytes:
    """The only .rev that fits this index: nothing in it is anybody's choice."""
    order = sorted(range(len(index.offsets)), key=index.offsets.__getitem__)
    header = struct.pack(">4sII", b"RIDX", 1, format_number(index))
    body = header + struct.pack(f">{len(order)}I", *order) + index.pack_checksum
    return body + digest(body)


def format_number(index: PackIndex) -> int:
    return 1 if len(index.pack_checksum) == 20 else 2


def is_mtimes_of(index: PackIndex, content: bytes, digest: Callable[[bytes], bytes]) -> bool:
    """Whether this is a cruft pack's table of times: one for each object, for this pack, unharmed."""
    header, width = struct.pack(">4sII", b"MTME", 1, format_number(index)), len(index.pack_checksum)
    body = content[:-width]
    is_whole = len(body) == 12 + 4 * len(index.names) + width and body.endswith(index.pack_checksum)
    return is_whole and body.startswith(header) and body + digest(body) == content


def is_index(content: bytes, digest: Callable[[bytes], bytes]) -> bool:
    """Whether git would take this for an index: its signature and its checksum (or none, as index.skipHash has it)."""
    width = len(digest(b""))
    is_signed = content[:4] == b"DIRC" and content[4:8] in (b"\0\0\0\2", b"\0\0\0\3", b"\0\0\0\4")
    body, checksum = content[:-width], content[-width:]
    return is_signed and len(body) >= 12 and checksum in (bytes(width), digest(body))


def has_bloom_filters(graph: bytes) -> bool:
    """Whether a commit-graph says which paths each commit changed: git believes that, and verifies it nowhere."""
    return b"BDAT" in graph[8 : 8 + 12 * (graph[6] + 1)] if len(graph) > 8 else False


def is_ref_name(name: str) -> bool:
    """What `git check-ref-format` admits."""
    is_plain = re.search(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/$|\.$", name) is None
    parts = name.split("/")
    return is_plain and len(parts) > 1 and all(p and p[0] != "." and not p.endswith(".lock") for p in parts)


def ref_value(content: bytes) -> Optional[str]:
    """What a ref's own file says: an object's name, or `ref: ` and another ref's; None where it says neither."""
    text = content.decode("utf-8", "replace").rstrip()
    if re.fullmatch(OBJECT_NAME, text):
        return text
    target = re.fullmatch(r"ref:\s*(\S+)", text)
    return f"ref: {target.group(1)}" if target and is_ref_name(target.group(1)) else None


class PackedRef(NamedTuple):
    """A row of packed-refs: the object, and what a tag finally stands for; None where the file does not say."""

    name: bytes
    value: str
    peeled: Optional[str]


PACKED_ROW = re.compile(rb"(%(name)s) (refs/\S+)\n(?:\^(%(name)s)\n)?" % {b"name": OBJECT_NAME.encode()})


def packed_refs(content: bytes) -> Optional[list[PackedRef]]:
    """The rows of packed-refs; None where git would not find its way in it: it searches where the header says that rows are sorted.

    What the header calls peeled is believed as well: without a second line a ref is no tag.
    """
    head, _, body = content.partition(b"\n") if content.startswith(b"#") else (b"", b"", content)
    if head and not head.startswith(b"# pack-refs with:"):
        return None
    traits = head.partition(b":")[2].split()
    rows, position = [], 0
    while row := PACKED_ROW.match(body, position):
        value, name, peeled = row.groups()
        says = (
            peeled is not None or b"fully-peeled" in traits or (b"peeled" in traits and name.startswith(b"refs/tags/"))
        )
        rows.append(PackedRef(name, value.decode(), (peeled or value).decode() if says else None))
        position = row.end()
    names = [row.name for row in rows]
    is_in_order = len(set(names)) == len(names) and (b"sorted" not in traits or names == sorted(names))
    return rows if position == len(body) and is_in_order else None


def reflog_values(content: bytes) -> list[str]:
    """Every object that the lines of a reflog name."""
    found = re.findall(rb"(?m)^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ", content)
    return [value.decode() for row in found for value in row if value.strip(b"0")]


def lost_lines(before: bytes, after: bytes, since: float) -> list[bytes]:
    """The lines of a reflog that are younger than this and no longer there: no gc takes those, and nothing else may."""
    there = frozenset(after.splitlines())
    gone = [line for line in before.splitlines() if line not in there]
    dates = [re.search(rb"> (\d+) [+-]\d{4}(?:\t|$)", line) for line in gone]
    return [line for line, date in zip(gone, dates) if date is None or int(date.group(1)) > since]


def is_fetch_head(content: bytes) -> bool:
    return re.fullmatch(rb"((%s)\t(not-for-merge)?\t[^\n\0]*\n)*" % OBJECT_NAME.encode(), content) is not None


def fetched_tags(content: bytes) -> frozenset[str]:
    """The tags that a fetch brought, as FETCH_HEAD has them."""
    found = re.findall(rb"(?m)^[0-9a-f]+\t(?:not-for-merge)?\ttag '([^'\n]+)' of ", content)
    return frozenset(f"refs/tags/{name.decode('utf-8', 'surrogateescape')}" for name in found)
