#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Renames identifiers and files by the table dev/renames.toml. Temporary: until it has been run.

usage: rename_words.py [--again] [ROOT]

Identifiers are renamed in code wherever the row's scope reaches; in comments, strings and documents
those that are no English words (that hold `_`, or stand between back quotes or before `()`). Files
are moved by git, and what names them is changed: includes, meson.build, Kbuild, tables of files.
Refuses, before it changes anything, a new name that its scope has already (--again: it has it
because the script was run before), a public name, and a file that is there. What it did is printed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import words
from tree import C_SUFFIXES

WIDTH = 100
GLOSSARY = "docs/glossary.md"
# A path or the name of a file, as text has it.
MENTION = re.compile(r"(?<![\w./-])(?:[\w.-]+/)*[\w-]+(?:\.(?:c|h|S|o|py|sh)\b)?(?![\w/-])")
SUFFIXES = (".c", ".S", ".py")


@dataclass
class Done:
    """What a run has changed."""

    names: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # word, old, new
    prose: Counter[tuple[str, str]] = field(default_factory=Counter)
    files: list[tuple[str, str]] = field(default_factory=list)
    mentions: Counter[str] = field(default_factory=Counter)
    changed: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


class Mentions:
    """Which file a text means by a name or a path, and how it names it from now on."""

    def __init__(self, paths: Iterable[str], renamed: dict[str, str]) -> None:
        self._all = set(paths)
        self._renamed = renamed
        self._by_name: dict[str, list[str]] = {}
        for path in self._all:
            self._by_name.setdefault(Path(path).name, []).append(path)
        self._stems = {Path(old).stem for old in renamed}

    def meant(self, mention: str, source: str) -> str | None:
        """The file, as it was called before; None: no file, or nobody can tell which."""
        folder = Path(source).parent
        beside = _joined(folder, mention)
        if beside in self._all:
            return beside
        if mention in self._all:
            return mention
        found = [
            path
            for path in self._by_name.get(Path(mention).name, ())
            if path == mention or path.endswith(f"/{mention}")
        ]
        if len(found) < 2:
            return found[0] if found else None
        near = sorted(found, key=lambda path: -_common(path, source))
        return near[0] if _common(near[0], source) > _common(near[1], source) else None

    def _exactly(self, file: str, source: str) -> str | None:
        """A file that is named without its suffix, as meson.build names tests."""
        beside = _joined(Path(source).parent, file)
        if beside in self._all and Path(source).name == "meson.build":
            return beside
        return file if "/" in file and file in self._all else None

    def new(self, mention: str, source: str) -> str | None:
        """The mention as it has to be; None: as it is."""
        path = Path(mention)
        if path.stem not in self._stems:
            return None
        for suffix in (path.suffix,) if path.suffix not in ("", ".o") else SUFFIXES:
            file = str(path.with_suffix(suffix))
            meant = self.meant(file, source) if path.suffix else self._exactly(file, source)
            if meant in self._renamed:
                stem = Path(self._renamed[meant]).stem
                return mention[: len(mention) - len(path.name)] + stem + path.suffix
        return None


def _joined(folder: Path, mention: str) -> str:
    parts: list[str] = []
    for part in (*folder.parts, *Path(mention).parts):
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _common(path: str, source: str) -> int:
    count = 0
    for one, other in zip(Path(path).parts, Path(source).parts, strict=False):
        if one != other:
            break
        count += 1
    return count


def refusals(root: Path, table: words.Table, *, again: bool) -> Iterator[str]:
    for old, new in table.files.items():
        if (root / old).exists() and (root / new).exists():
            yield f"{old}: there is a {new} already"
    there = {
        path: (words.place(path, text), {m.group() for m in words.names(path, text)})
        for path, text in _texts(root)
        if words.is_code(path)
    }
    for row in table.rows:
        inside = [
            (path, names) for path, (at, names) in there.items() if words.is_below(at, row.scope)
        ]
        every = set().union(*(names for _, names in inside))
        for old, new in row.names.items():
            if old not in every:
                continue
            for path, names in inside:
                if old in names and words.PUBLIC.match(path):
                    yield f"{path}: {old}: is public"
                if new in names and not again and new not in row.beside:
                    yield f"{path}: {old}: has {new} already"
        twice = Counter(row.names.values())
        yield from (f"{row.scope}: {new}: new name of several" for new in twice if twice[new] > 1)


def _texts(root: Path) -> Iterator[tuple[str, str]]:
    for path in words.sources(root):
        if (root / path).is_symlink():
            continue
        data = (root / path).read_bytes()
        if b"\0" not in data:
            yield path, data.decode("utf-8")


class Renamer:
    """Changes the texts of a tree."""

    def __init__(self, root: Path, table: words.Table) -> None:
        self.root = root
        self.table = table
        self.done = Done()
        self._mentions = Mentions(words.sources(root), table.files)

    def text(self, path: str, text: str) -> str:
        at = words.place(path, text)
        rename = {
            old: (row.word, new)
            for row in self.table.rows
            if words.is_below(at, row.scope)
            for old, new in row.names.items()
        }
        prose = {
            old: new
            for row in self.table.prose
            if words.is_below(path, row.scope)
            for old, new in row.words.items()
        }
        guards = self._guards(path, text)

        def name(found: str) -> str:
            if found in guards:
                return guards[found]
            if found not in rename:
                return found
            word, new = rename[found]
            self.done.names[word, found, new] += 1
            return new

        def token(found: re.Match[str]) -> str:
            kind, piece = found.lastgroup, found.group()
            if kind == "name":
                return name(piece)
            if kind == "include":
                return self._mentioned(piece, path)
            if kind == "number":
                return piece
            piece = self._spelled(self._mentioned(piece, path), rename, name)
            return self._said(piece, prose) if kind == "comment" else piece

        text = words.tokens(path).sub(token, text)
        for piece in self.table.texts:
            if piece.file == path:
                text = self._pieced(text, piece)
        return with_rows(text, self.table.glossary) if path == GLOSSARY else text

    def _pieced(self, text: str, piece: words.Text) -> str:
        if piece.old in text.replace(piece.new, ""):
            self.done.mentions[piece.file] += 1
            return text.replace(piece.old, piece.new)
        if piece.new not in text:
            self.done.missed.append(f"{piece.file}: has no {piece.old!r}")
        return text

    def _guards(self, path: str, text: str) -> dict[str, str]:
        """The include guard of a header that is renamed."""
        new = self.table.files.get(path)
        found = re.search(r"^#ifndef (\w+)\n#define \1$", text, re.MULTILINE)
        if not new or not found or not path.endswith(".h"):
            return {}
        stems = (Path(path).stem.upper(), Path(new).stem.upper())
        return {found.group(1): found.group(1).replace(*stems)}

    def _mentioned(self, text: str, source: str) -> str:
        def mention(found: re.Match[str]) -> str:
            around = text[max(found.start() - 1, 0) : found.start()] + text[found.end() :][:1]
            is_path = "." in found.group() or "/" in found.group()
            new = self._mentions.new(found.group(), source) if is_path or around == "''" else None
            if new is None:
                return found.group()
            self.done.mentions[source] += 1
            return new

        return MENTION.sub(mention, text)

    @staticmethod
    def _spelled(text: str, rename: dict[str, tuple[str, str]], name: Callable[[str], str]) -> str:
        """Identifiers in a comment, a string or a document."""

        def spelled(found: re.Match[str]) -> str:
            around = text[found.start() - 1 : found.start()] + text[found.end() : found.end() + 2]
            is_quoted = around[:1] == "`" and around[1:2] == "`"
            if "_" in found.group() or is_quoted or around.endswith("()"):
                return name(found.group())
            return found.group()

        return words.NAME.sub(spelled, text) if rename else text

    def _said(self, text: str, prose: dict[str, str]) -> str:
        for old, new in prose.items():
            begins = r"(?P<article>\b[Aa]n?(?P<space>\s+(?:\*\s+)?))?"
            pattern = re.compile(rf"{begins}(?<![`\w./-])(?P<word>{old})(?![`\w/-]|\.\w|\()", re.I)

            def said(found: re.Match[str], old: str = old, new: str = new) -> str:
                word = found["word"]
                if word not in (old, old.capitalize()):
                    return found.group()
                self.done.prose[old, new] += 1
                said = new.capitalize() if word[0].isupper() else new
                if not found["article"]:
                    return said
                article = "An" if new[0] in "aeio" else "A"
                if found["article"][0] == "a":
                    article = article.lower()
                return article + found["space"] + said

            text = pattern.sub(said, text)
        return text


def with_rows(text: str, rows: dict[str, str]) -> str:
    """A glossary with these words, where it has none of them, in order."""
    lines = text.split("\n")
    for word, meaning in rows.items():
        if f"| {word} |" in text:
            continue
        table = [i for i, line in enumerate(lines) if line.startswith("| **")]
        later = (i for i in table if _letters(lines[i]) > _letters(f"| {word} |"))
        lines.insert(next(later, table[-1] + 1), f"| {word} | {meaning} |")
    return "\n".join(lines)


def _letters(row: str) -> str:
    """What a row is sorted by."""
    return row.split("|")[1].replace("*", "").casefold().strip()


def wrapped(text: str) -> str:
    """The lines of a document that have become too long, continued in the next one."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if len(line) <= WIDTH or line.lstrip().startswith(("|", "#")) or " " not in line.strip():
            at += 1
            continue
        cut = line.rfind(" ", 0, WIDTH + 1)
        indent = line[: len(line) - len(line.lstrip())]
        if line.lstrip().startswith("- "):
            indent += "  "
        if cut <= len(indent):
            at += 1
            continue
        rest = line[cut + 1 :]
        lines[at] = line[:cut]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if following.strip() and not re.match(r"\s*(?:[-*|#>]|\d+\.|```)", following):
            lines[at + 1] = f"{indent}{rest} {following.lstrip()}"
        else:
            lines.insert(at + 1, f"{indent}{rest}")
        at += 1
    return "\n".join(lines)


def run(root: Path, table: words.Table) -> Done:
    renamer = Renamer(root, table)
    for path, text in list(_texts(root)):
        new = renamer.text(path, text)
        if new == text:
            continue
        if path.endswith(".md"):
            new = _wrapped_where_changed(text, new)
        (root / path).write_text(new, encoding="utf-8")
        renamer.done.changed.append(path)
    for old, new in table.files.items():
        if (root / old).exists():
            (root / new).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["git", "mv", old, new], cwd=root, check=True)
            renamer.done.files.append((old, new))
    _lay_out(root, [table.files.get(path, path) for path in renamer.done.changed])
    renamer.done.missed.extend(_without_effect(root, table, renamer.done))
    return renamer.done


def _without_effect(root: Path, table: words.Table, done: Done) -> Iterator[str]:
    """Rows that a newer tree has no use for: to be looked at."""
    renamed = {(word, old) for word, old, _ in done.names}
    for row in table.rows:
        for old in row.names:
            if (row.word, old) not in renamed:
                yield f"{row.scope[0]}: no {old} ({row.word})"
    for piece in table.texts:
        if not any(
            (root / path).exists() for path in (piece.file, table.files.get(piece.file)) if path
        ):
            yield f"{piece.file}: there is no such file"


def _wrapped_where_changed(old: str, new: str) -> str:
    """Only what was not too long before is wrapped."""
    return wrapped(new) if all(len(x) <= WIDTH or x[:1] == "|" for x in old.split("\n")) else new


def _lay_out(root: Path, paths: list[str]) -> None:
    sources = [path for path in paths if Path(path).suffix in C_SUFFIXES - {".S"}]
    for at in range(0, len(sources), 32):
        command = ["clang-format", "-i", *sources[at : at + 32]]
        subprocess.run(command, cwd=root, check=True)
    python = [path for path in paths if path.endswith(".py")]
    if python:
        ruff = [sys.executable, "-m", "ruff", "format", "--config", "python/pyproject.toml"]
        if subprocess.run([*ruff, *python], cwd=root, check=False).returncode:
            print("ruff format was not run on", *python)


def tell(done: Done) -> None:
    for old, new in done.files:
        print(f"file {old} -> {new}")
    for (word, old, new), count in sorted(done.names.items()):
        print(f"name {word}: {old} -> {new} ({count})")
    for (old, new), count in sorted(done.prose.items()):
        print(f"word {old} -> {new} ({count})")
    for missed in done.missed if done.names else ():
        print(f"missed {missed}")
    print(
        f"{len(done.files)} files, {len(done.names)} names at {done.names.total()} places, "
        f"{done.prose.total()} words, {done.mentions.total()} mentions, "
        f"{len(done.changed)} files changed"
    )


def main(argv: list[str]) -> int:
    again = "--again" in argv
    given = [a for a in argv[1:] if a != "--again"]
    root = Path(given[0]).resolve() if given else Path(__file__).resolve().parents[1]
    table = words.table(root)
    refused = list(refusals(root, table, again=again))
    if refused:
        print("\n".join(refused))
        return 1
    tell(run(root, table))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
