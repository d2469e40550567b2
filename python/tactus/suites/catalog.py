# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tests of a suite: how each is built and run, and why it is not expected to pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tactus import tomltext
from tactus.project import UserError

# Why a test does not pass. An open fault must be corrected; the other grounds are outside of the
# interface.
GROUNDS = {
    "driver": "needs a driver that Tactus does not have",
    "kernel": "tests internals of Cobalt's kernel",
    "defect": "contradicts Xenomai's own code",
    "open": "is not served",
}
KEYS = {
    "name", "group", "sources", "parts", "options", "cflags", "args", "says", "limit_s",
    "long", "run", "ground", "reason", "environment", "within", "lacks", "lacking",
    "tries",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A program or a library of a test; sources are relative to the suite, `options` are those of
    xeno-config, `words` go to the compiler unchanged."""

    output: str
    sources: tuple[str, ...]
    options: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """The last part is the program; it passes if it ends with status 0 and prints `says`."""

    name: str
    group: str
    parts: tuple[Part, ...]
    args: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    within: tuple[str, ...]  # the program that starts it
    says: str
    lacks: str  # its message if the machine lacks something, and what that is
    lacking: str
    limit_s: float
    tries: int  # it compares times with a clock, on a machine that others use, too
    long: bool
    run: bool
    ground: str
    reason: str

    @property
    def title(self) -> str:
        return f"{self.group}/{self.name}"


def load(file: Path) -> list[Test]:
    """The tests in the order of the file."""
    text = tomltext.read(file)
    groups, tests = text.get("group"), text.get("test")
    if not isinstance(groups, dict) or not isinstance(tests, list):
        raise UserError(f"{file}: a table [group.NAME] and a list [[test]] are needed")
    try:
        return [_test(_checked(item, groups), groups) for item in tests]
    except KeyError as error:
        raise UserError(
            f"{file}: {error.args[0]!r} is missing in a test or one of its parts"
        ) from None
    except (TypeError, ValueError) as error:
        raise UserError(f"{file}: {error}") from None


def select(tests: list[Test], words: tuple[str, ...]) -> Iterator[Test]:
    """The tests whose name or group is among the words; without words, all."""
    known = {word for test in tests for word in (test.name, test.group, test.title)}
    if wrong := [word for word in words if word not in known]:
        raise UserError(f"no test {wrong[0]!r}: `tactus suites list` prints the names")
    for test in tests:
        if not words or {test.name, test.group, test.title} & set(words):
            yield test


def _checked(item: object, groups: Mapping[str, Any]) -> Mapping[str, Any]:
    """The test, if its keys and their kinds are those that `_test` takes."""
    if not isinstance(item, dict):
        raise ValueError("each [[test]] is a table")
    name = item.get("name")
    if not isinstance(name, str):
        raise ValueError('a test has no name: write name = "…"')
    group = item.get("group")
    if not isinstance(group, str) or group not in groups:
        known = ", ".join(sorted(groups))
        raise ValueError(f"{name}: there is no group {group!r}: write one of {known}")
    for key in ("limit_s", "tries"):
        value = {**groups[group], **item}.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{name}: {key} = {value!r} is no number")
    return item


def _test(item: Mapping[str, Any], groups: Mapping[str, Mapping[str, Any]]) -> Test:
    name = item["name"]
    if unknown := item.keys() - KEYS:
        raise ValueError(f"{name}: no key {sorted(unknown)[0]!r}")
    group = item["group"]
    # {name} as in the file, {plugin} as in C.
    fill = {"name": name, "plugin": name.replace("-", "_")}
    one = {**groups[group], **item}

    def filled(key: str) -> tuple[str, ...]:
        return tuple(word.format_map(_Keep(fill)) for word in one.get(key, ()))

    own = Part(name, filled("sources"), filled("options"), filled("cflags"))
    parts = [
        Part(
            p["output"],
            tuple(p["sources"]),
            tuple(p.get("options", ())),
            tuple(p.get("cflags", ())),
        )
        for p in one.get("parts", ())
    ]
    ground, reason = one.get("ground", ""), one.get("reason", "")
    if bool(ground) != bool(reason) or (ground and ground not in GROUNDS):
        raise ValueError(f"{name}: a reason needs a ground, one of {', '.join(GROUNDS)}")
    return Test(
        name=name,
        group=group,
        parts=(*parts, own),
        args=filled("args"),
        environment=tuple(sorted(one.get("environment", {}).items())),
        within=tuple(one.get("within", ())),
        says=one.get("says", "").format_map(_Keep(fill)),
        lacks=one.get("lacks", ""),
        lacking=one.get("lacking", ""),
        limit_s=float(one.get("limit_s", 30)),
        tries=int(one.get("tries", 1)),
        long=bool(one.get("long", False)),
        run=bool(one.get("run", True)),
        ground=ground,
        reason=reason,
    )


class _Keep(dict[str, str]):
    """What is not known yet, such as the scratch folder, is filled in later."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
