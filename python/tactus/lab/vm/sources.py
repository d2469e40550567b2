# SPDX-License-Identifier: LGPL-2.1-or-later
"""The machine's own apt sources, and those of the distribution's backports derived from them.

Mirrors, archives and keys differ between machines, so only the suite is changed. Source:
sources.list(5), both of its formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tactus.project import UserError

APT = Path("/etc/apt")
BACKPORTS = "-backports"
RELEASE_PARTS = ("", "-updates", "-security", BACKPORTS)
ONE_LINE = re.compile(r"deb\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<rest>\S.*)")
OPTION_FIELDS = {"arch": "Architectures", "signed-by": "Signed-By", "trusted": "Trusted"}


@dataclass(frozen=True, slots=True)
class Source:
    """A stanza: one place with some suites of a distribution, and its other fields untouched."""

    uris: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    fields: tuple[tuple[str, str], ...] = ()

    def render(self) -> str:
        known = {
            "Types": "deb",
            "URIs": self.uris,
            "Suites": " ".join(self.suites),
            "Components": " ".join(self.components),
        }
        return "".join(f"{k}: {v}\n" for k, v in (*known.items(), *self.fields))


def parse_deb822(text: str) -> list[Source]:
    """The enabled stanzas with binary packages of a `.sources` file."""
    stanzas: list[dict[str, str]] = [{}]
    last = ""
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if not line.strip():
            stanzas.append({})
        elif line[0] in " \t":
            # A continuation, for example of a key that is written out: kept unchanged.
            if last in stanzas[-1]:
                stanzas[-1][last] += f"\n{line}"
        else:
            name, _, value = line.partition(":")
            last = name.strip().lower()
            stanzas[-1][last] = value.strip()
    return [source for stanza in stanzas for source in _of_stanza(stanza)]


def _of_stanza(stanza: Mapping[str, str]) -> list[Source]:
    enabled = stanza.get("enabled", "yes").lower() not in ("no", "false", "0", "off")
    if not enabled or "deb" not in stanza.get("types", "").split():
        return []
    known = ("enabled", "types", "uris", "suites", "components")
    others = tuple((name.title(), text) for name, text in stanza.items() if name not in known)
    suites, components = (tuple(stanza.get(name, "").split()) for name in ("suites", "components"))
    return [Source(stanza.get("uris", ""), suites, components, others)]


def parse_one_line(text: str) -> list[Source]:
    """The lines with binary packages of a `.list` file."""
    found = []
    for line in text.splitlines():
        match = ONE_LINE.fullmatch(line.partition("#")[0].strip())
        if match is None:
            continue
        options = dict(option.partition("=")[::2] for option in (match["options"] or "").split())
        fields = tuple(
            (OPTION_FIELDS[name], value.replace(",", " "))
            for name, value in options.items()
            if name in OPTION_FIELDS
        )
        suite, *components = match["rest"].split()
        found.append(Source(match["uri"], (suite,), tuple(components), fields))
    return found


def read(folder: Path = APT) -> list[Source]:
    """The sources of apt on this machine, in its order."""
    found: list[Source] = []
    main = folder / "sources.list"
    if main.is_file():
        found += parse_one_line(main.read_text(encoding="utf-8"))
    for path in sorted((folder / "sources.list.d").glob("*")):
        if path.suffix == ".list":
            found += parse_one_line(path.read_text(encoding="utf-8"))
        elif path.suffix == ".sources":
            found += parse_deb822(path.read_text(encoding="utf-8"))
    return found


def with_backports(sources: Iterable[Source], codename: str) -> list[Source]:
    """The sources of the release alone, and its backports from the same place as the release."""
    parts = tuple(codename + part for part in RELEASE_PARTS)
    own = []
    for source in sources:
        suites = tuple(suite for suite in source.suites if suite in parts)
        if suites and "main" in source.components:
            own.append(replace(source, suites=suites))
    release = [source for source in own if codename in source.suites]
    if not release:
        raise UserError(
            f"apt has no source with main of {codename}: add one to {APT}, or give a kernel by "
            "its path and install QEMU 10 or newer yourself"
        )
    if not any(codename + BACKPORTS in source.suites for source in own):
        own.append(replace(release[0], suites=(codename + BACKPORTS,)))
    return own


def of_release(sources: Iterable[Source], own: str, codename: str) -> list[Source]:
    """The machine's sources of its own release, changed for another release of the distribution."""
    return [
        replace(source, suites=tuple(codename + suite[len(own) :] for suite in source.suites))
        for source in with_backports(sources, own)
    ]


def render(sources: Iterable[Source]) -> str:
    """As a `.sources` file."""
    return "\n".join(source.render() for source in sources)
