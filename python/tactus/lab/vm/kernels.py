# SPDX-License-Identifier: LGPL-2.1-or-later
"""The kernels that a guest can boot: named ones, fetched as packages, and any other by its path."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tactus import tomltext
from tactus.lab.vm import cache, unpacked
from tactus.lab.vm.packages import Package, Packages, run
from tactus.project import UserError

TABLE = Path(__file__).with_name("kernels.toml")
IMAGE_PREFIX = "linux-image-"
BINARY_PREFIX = "linux-binary-"
MODULES_PREFIX = "linux-modules-"
MAGIC = (0x202, b"HdrS")
VERSION_POINTER = 0x20E
VERSION_BASE = 0x200
"""The boot protocol's header (Documentation/arch/x86/boot.rst of Linux)."""
INSTALLED = Path("/lib/modules")
MODULES = "-modules"
READERS: Mapping[str, Callable[[bytes], bytes]] = {
    ".ko": bytes,
    ".ko.xz": lzma.decompress,
    ".ko.gz": gzip.decompress,
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A row of the table; `release` is empty for the machine's own."""

    name: str
    says: str
    package: str
    arguments: str = ""
    backports: bool = False
    release: str = ""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel on this machine's disk. `package` is empty for a kernel given by its path;
    `unpacked` is None if it boots only as a bzImage; `distribution` is empty for the machine's own
    release."""

    name: str
    release: str
    image: Path
    arguments: str = ""
    package: str = ""
    version: str = ""
    unpacked: Path | None = None
    distribution: str = ""


def table(path: Path = TABLE) -> dict[str, Recipe]:
    """The named kernels."""
    rows = tomltext.read(path)
    try:
        return {name: Recipe(name, **row) for name, row in rows.items()}
    except TypeError as error:
        raise UserError(f"{path}: {error}: correct the file") from None


def release_of(image: Path) -> str:
    """The output of `uname -r` there, from the header of a bzImage; refuses any other file."""
    try:
        data = image.read_bytes()[:65536]
    except OSError as error:
        raise UserError(f"cannot read the kernel {image} ({error.strerror})") from None
    start, magic = MAGIC
    if data[start : start + len(magic)] != magic:
        raise UserError(f"{image} is no bzImage: give the file that a boot loader loads")
    where = VERSION_BASE + int.from_bytes(data[VERSION_POINTER : VERSION_POINTER + 2], "little")
    return data[where:].partition(b"\0")[0].decode(errors="replace").partition(" ")[0]


def by_path(image: Path) -> Kernel:
    return Kernel(image.name, release_of(image), image.absolute())


def by_name(name: str) -> Kernel:
    """Like find(), but fetches nothing: the name of a package's kernel stands for its file."""
    if "/" in name:
        return by_path(Path(name))
    return Kernel(name, "", Path(f"vmlinuz-{name}"), _recipe(name).arguments)


def _recipe(name: str) -> Recipe:
    recipes = table()
    if name not in recipes:
        raise UserError(
            f"no kernel {name!r}: choose one of {', '.join(recipes)}, or give a path with a slash"
        )
    return recipes[name]


def find(name: str, environment: Mapping[str, str], *, update: bool = False) -> Kernel:
    """The kernel of that name or path. The version of a name is looked up once and kept, so that
    results stay comparable, until `update` is requested."""
    if "/" in name:
        given = by_path(Path(name))
        return replace(given, unpacked=unpacked.find(given.image, environment))
    recipe = _recipe(name)
    folder = cache.folder_of(environment)
    packages = Packages.of(folder, release=recipe.release)
    kept = f"{recipe.package}{'-backports' * recipe.backports}.json"
    chosen = packages.folder / "kernels" / kept
    with cache.locked(chosen.parent):
        package = None if update else _kept(chosen)
        if package is None:
            package = _choose(recipe, packages)
            cache.written(chosen, json.dumps([package.name, package.version]))
    image = _image(packages, package)
    return Kernel(
        name,
        release_of(image),
        image,
        recipe.arguments,
        package.name,
        package.version,
        unpacked.find(image, environment),
        recipe.release,
    )


def _split(package: Package, part: str) -> Package:
    """From 7.2 on, Debian has separate packages for the kernel and its modules."""
    return Package(f"{part}{package.name.removeprefix(IMAGE_PREFIX)}", package.version, ())


def _image(packages: Packages, package: Package) -> Path:
    """The bzImage of the package, or of the package that it depends on since the split."""
    release = package.name.removeprefix(IMAGE_PREFIX)
    split = _split(package, BINARY_PREFIX)
    unpacked_folder = packages.folder / "unpacked"
    own = unpacked_folder / package.label / "boot" / f"vmlinuz-{release}"
    other = unpacked_folder / split.label / "usr/lib/modules" / release / "vmlinuz"
    if not own.is_file() and not other.is_file():
        packages.refresh()
        depends = run(["dpkg-deb", "-f", str(packages.fetch(package)), "Depends"])
        if split.name in depends:
            packages.unpack(split, ["*/vmlinuz"])
        else:
            packages.unpack(package, ["./boot/*"])
    return own if own.is_file() else other


def modules(
    kernel: Kernel,
    wanted: Iterable[str],
    environment: Mapping[str, str],
    installed: Path = INSTALLED,
) -> dict[str, bytes]:
    """Modules of the kernel, uncompressed, by the last parts of their names. `wanted` are their
    paths below its folder `kernel/`, without the ending. A package contains its modules. A kernel
    that was given by its path has those that are installed on this machine, if any."""
    names = list(wanted)
    tree = installed
    if kernel.package and names:
        package = Package(kernel.package, kernel.version, ())
        packages = Packages.of(cache.folder_of(environment), release=kernel.distribution)
        if BINARY_PREFIX in str(kernel.image):
            package = _split(package, MODULES_PREFIX)
        tree = packages.folder / "unpacked" / f"{package.label}{MODULES}"
        if not tree.is_dir():
            packages.refresh()
            packages.unpack(package, [f"*/kernel/{name}.ko*" for name in names], MODULES)
    found: dict[str, bytes] = {}
    for name in names:
        for place in ("", "lib/modules", "usr/lib/modules"):
            for ending, read in READERS.items():
                path = tree / place / kernel.release / "kernel" / f"{name}{ending}"
                if path.is_file():
                    found[Path(name).name] = read(path.read_bytes())
    if kernel.package and len(found) < len(names):
        raise UserError(f"{kernel.package} lacks some of {', '.join(names)}: delete {tree}")
    return found if len(found) == len(names) else {}


def _kept(chosen: Path) -> Package | None:
    try:
        name, version = json.loads(chosen.read_text(encoding="utf-8"))
        return Package(name, version, ())
    except (OSError, ValueError):
        return None


def _choose(recipe: Recipe, packages: Packages) -> Package:
    """The image on which the meta package depends."""
    packages.refresh()
    meta = packages.candidate(recipe.package, backports=recipe.backports)
    image = first_image(recipe.package, meta.depends)
    return packages.candidate(image, backports=recipe.backports)


def first_image(meta: str, depends: Iterable[str]) -> str:
    for name in depends:
        if name.startswith(IMAGE_PREFIX):
            return name
    raise UserError(f"the package {meta} names no kernel: give a kernel by its path")
