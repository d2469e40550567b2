# SPDX-License-Identifier: LGPL-2.1-or-later
"""Guests without QEMU: sources, kernels, images, consoles and results, good and damaged ones."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import stat
import sys
import tarfile
from pathlib import Path

import pytest
from vm_factory import bzimage

from tactus.lab.vm import (
    boot,
    cache,
    cpio,
    emulator,
    image,
    kernels,
    packages,
    results,
    sources,
)
from tactus.lab.vm.console import Console, State
from tactus.lab.vm.machine import Machine
from tactus.project import UserError

DEB822 = """\
Types: deb deb-src
# a comment in between
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
"""
ONE_LINE = """\
# deb http://off.example/debian bookworm main
deb [arch=amd64,i386 signed-by=/k.gpg] http://mirror.example/debian bookworm main # why
deb-src http://mirror.example/debian bookworm main
deb http://third.example/apt stable main
"""


def test_backports_come_from_where_the_release_comes_from() -> None:
    found = sources.with_backports(sources.parse_deb822(DEB822), "bookworm")
    assert [source.uris for source in found] == ["http://mirror.example/debian"] * 2
    assert [source.suites for source in found] == [
        ("bookworm", "bookworm-updates"),
        ("bookworm-backports",),
    ]
    assert sources.parse_deb822(sources.render(found)) == found
    assert "Signed-By: \n -----BEGIN PGP" in found[1].render()


def test_one_line_sources_keep_their_options() -> None:
    found = sources.with_backports(sources.parse_one_line(ONE_LINE), "bookworm")
    assert [source.suites for source in found] == [
        ("bookworm",),
        ("bookworm-backports",),
    ]
    assert dict(found[1].fields) == {
        "Architectures": "amd64 i386",
        "Signed-By": "/k.gpg",
    }


def test_backports_that_are_there_are_not_added_again(tmp_path: Path) -> None:
    text = "deb http://m.example/d bookworm main\ndeb http://b.example/d bookworm-backports main\n"
    (tmp_path / "sources.list").write_text(text)
    found = sources.with_backports(sources.read(tmp_path), "bookworm")
    assert [source.uris for source in found] == [
        "http://m.example/d",
        "http://b.example/d",
    ]


def test_no_source_of_the_release_is_said() -> None:
    with pytest.raises(UserError, match="no source with main of trixie"):
        sources.with_backports(sources.parse_one_line(ONE_LINE), "trixie")


def test_package_is_read_from_apt() -> None:
    text = "Package: meta\nVersion: 1:2-3\nDepends: linux-image-9 (= 2-3), b | c\n\nPackage: old\n"
    found = packages.parse("meta", text)
    assert found == packages.Package("meta", "1:2-3", ("linux-image-9", "b", "c"))
    assert found.label == "meta_1%3a2-3"
    assert kernels.first_image("meta", found.depends) == "linux-image-9"
    with pytest.raises(UserError, match="apt knows no package gone"):
        packages.parse("gone", "")


def test_failed_program_of_debian_is_one_line() -> None:
    script = "import sys; sys.exit('W: slow\\nE: Could not resolve it\\nE: more')"
    with pytest.raises(UserError, match=r"failed \(Could not resolve it\): give a kernel") as error:
        packages.run([sys.executable, "-c", script])
    assert "\n" not in str(error.value)


def test_cache_is_where_the_user_says() -> None:
    assert cache.folder_of({"TACTUS_CACHE": "/c", "HOME": "/h"}) == Path("/c")
    assert cache.folder_of({"XDG_CACHE_HOME": "/x", "HOME": "/h"}) == Path("/x/tactus")
    assert cache.folder_of({"XDG_CACHE_HOME": "rel", "HOME": "/h"}) == Path("/h/.cache/tactus")
    with pytest.raises(UserError, match="TACTUS_CACHE"):
        cache.folder_of({})


def test_want_of_space_is_said_before_anything_is_fetched(tmp_path: Path) -> None:
    cache.need_space(tmp_path, 1)
    with pytest.raises(UserError, match=r"MiB free and needs \d+: free space, or set TACTUS_CACHE"):
        cache.need_space(tmp_path, 1 << 60)


def test_program_of_debian_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "LIMIT_S", 0.2)
    with pytest.raises(UserError, match=r"sleep did not end within 0\.2 s: give a kernel"):
        packages.run(["sleep", "60"])


def test_half_made_folder_never_appears(tmp_path: Path) -> None:
    def fail(half: Path) -> None:
        (half / "part").write_text("x")
        raise OSError(28, "No space left on device")

    with pytest.raises(UserError, match="No space left"):
        cache.complete(tmp_path / "whole", fail)
    assert list(tmp_path.iterdir()) == []


def test_sources_of_another_release_are_where_the_machines_own_are() -> None:
    found = sources.of_release(sources.parse_deb822(DEB822), "bookworm", "trixie")
    assert [source.suites for source in found] == [
        ("trixie", "trixie-updates"),
        ("trixie-backports",),
    ]
    assert {source.uris for source in found} == {"http://mirror.example/debian"}


def test_another_release_has_a_folder_of_its_own(tmp_path: Path) -> None:
    about = tmp_path / "os-release"
    about.write_text("VERSION_CODENAME=bookworm\n")
    own = packages.Packages.of(tmp_path, about)
    assert own == packages.Packages.of(tmp_path, about, release="bookworm")
    other = packages.Packages.of(tmp_path, about, release="trixie")
    assert (own.folder, other.folder) == (tmp_path, tmp_path / "releases/trixie")
    assert other.suite == "trixie-backports"


def test_kernel_split_into_packages_is_found_with_its_modules(tmp_path: Path) -> None:
    """As Debian has them from 7.2 on; nothing is fetched if they exist."""
    folder = tmp_path / "releases/trixie"
    (folder / "kernels").mkdir(parents=True)
    chosen = '["linux-image-7.3.4-amd64", "7.3.4-1"]'
    (folder / "kernels/linux-image-amd64-backports.json").write_text(chosen)
    place = folder / "unpacked/linux-binary-7.3.4-amd64_7.3.4-1/usr/lib/modules/7.3.4-amd64"
    place.mkdir(parents=True)
    bzimage(place / "vmlinuz")
    environment = {"TACTUS_CACHE": str(tmp_path)}
    kernel = kernels.find("trixie-backports", environment)
    assert kernel.image == place / "vmlinuz"
    assert kernel.distribution == "trixie"
    tree = folder / "unpacked/linux-modules-7.3.4-amd64_7.3.4-1-modules"
    drivers = tree / "usr/lib/modules" / kernel.release / "kernel/drivers"
    drivers.mkdir(parents=True)
    (drivers / "uio.ko").write_bytes(b"m")
    assert kernels.modules(kernel, ["drivers/uio"], environment) == {"uio": b"m"}


def test_kernel_by_path_says_its_release(tmp_path: Path) -> None:
    environment = {"TACTUS_CACHE": str(tmp_path)}
    kernel = kernels.find(str(bzimage(tmp_path / "k")), environment)
    assert (kernel.name, kernel.release) == ("k", "6.1.0-test")
    (tmp_path / "no").write_bytes(b"\x7fELF" + bytes(1000))
    with pytest.raises(UserError, match="no bzImage"):
        kernels.find(str(tmp_path / "no"), {})
    with pytest.raises(UserError, match="cannot read the kernel"):
        kernels.find(str(tmp_path / "gone"), {})


def test_modules_are_the_kernels_own_as_it_takes_them(tmp_path: Path) -> None:
    kernel = kernels.by_path(bzimage(tmp_path / "k"))
    folder = tmp_path / kernel.release / "kernel/drivers"
    folder.mkdir(parents=True)
    (folder / "uio.ko.xz").write_bytes(lzma.compress(b"first"))
    wanted = ("drivers/uio", "drivers/edge")
    # A half of a driver is none.
    assert kernels.modules(kernel, wanted, {}, tmp_path) == {}
    (folder / "edge.ko").write_bytes(b"second")
    found = kernels.modules(kernel, wanted, {}, tmp_path)
    assert list(found.items()) == [("uio", b"first"), ("edge", b"second")]
    other = kernels.Kernel("k", "6.2", Path("/k"))
    assert kernels.modules(other, wanted, {}, tmp_path) == {}


def test_modules_of_a_package_are_in_it(tmp_path: Path) -> None:
    kernel = kernels.Kernel("generic", "6.1", Path("/k"), package="image", version="1")
    tree = tmp_path / "unpacked/image_1-modules"
    folder = tree / "lib/modules/6.1/kernel/drivers"
    folder.mkdir(parents=True)
    environment = {"TACTUS_CACHE": str(tmp_path)}
    with pytest.raises(UserError, match=f"image lacks some of drivers/uio: delete {tree}"):
        kernels.modules(kernel, ["drivers/uio"], environment)
    (folder / "uio.ko").write_bytes(b"m")
    assert kernels.modules(kernel, ["drivers/uio"], environment) == {"uio": b"m"}


def test_unknown_kernel_names_the_known() -> None:
    with pytest.raises(UserError, match="generic, server, lowlatency, backports, preempt-rt"):
        kernels.find("fast", {})


def test_same_files_make_the_same_archive() -> None:
    entries = [
        cpio.regular("usr/bin/a", b"12345", executable=True),
        cpio.link("bin", "usr/bin"),
        cpio.character_device("dev/console", 5, 1),
    ]
    first, second = io.BytesIO(), io.BytesIO()
    cpio.write(first, entries)
    cpio.write(second, reversed(entries))
    assert first.getvalue() == second.getvalue()
    names = [name for name, _, _ in unpacked(first.getvalue())]
    assert names == [
        "bin",
        "dev",
        "dev/console",
        "usr",
        "usr/bin",
        "usr/bin/a",
        "TRAILER!!!",
    ]
    modes = {name: mode for name, mode, _ in unpacked(first.getvalue())}
    assert stat.S_ISDIR(modes["usr"]) and stat.S_ISCHR(modes["dev/console"])
    assert next(content for name, _, content in unpacked(first.getvalue()) if name == "bin") == (
        b"usr/bin"
    )


def unpacked(data: bytes) -> list[tuple[str, int, bytes]]:
    """An independent reader of the format: fixed fields of eight digits, parts padded to four."""
    found, at = [], 0
    while at < len(data):
        assert data[at : at + 6] == b"070701"
        fields = [int(data[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        name_at, size, name_size = at + 110, fields[6], fields[11]
        content_at = (name_at + name_size + 3) // 4 * 4
        name = data[name_at : name_at + name_size - 1].decode()
        found.append((name, fields[1], data[content_at : content_at + size]))
        at = (content_at + size + 3) // 4 * 4
    return found


def test_libraries_are_found_by_name_and_the_linker_by_path() -> None:
    text = """\
\tlinux-vdso.so.1 (0x00007ffc)
\tlibtactus.so.0 => /b/inst/../lib/libtactus.so.0 (0x00007f01)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f02)
"""
    assert image.parse_libraries(Path("p"), text) == {
        "lib/libtactus.so.0": Path("/b/inst/../lib/libtactus.so.0"),
        "lib64/ld-linux-x86-64.so.2": Path("/lib64/ld-linux-x86-64.so.2"),
    }
    assert image.parse_libraries(Path("p"), "\tnot a dynamic executable\n") == {}
    with pytest.raises(UserError, match=r"libgone\.so => not found"):
        image.parse_libraries(Path("p"), "\tlibgone.so => not found\n")


def test_machine_is_described_in_full(tmp_path: Path) -> None:
    kernel = kernels.Kernel("server", "6.1", Path("/k"), "preempt=none")
    words = Machine(kernel, cpus=2, arguments="isolcpus=0").command(Path("/q"), tmp_path)
    assert words[words.index("-icount") + 1] == "shift=0,sleep=off"
    assert words[words.index("-smp") + 1] == "2"
    assert words[words.index("-append") + 1].endswith("preempt=none isolcpus=0")
    assert "-icount" not in Machine(kernel, accelerator="tcg").command(Path("/q"), tmp_path)
    with pytest.raises(UserError, match="icount, tcg, kvm"):
        Machine(kernel, accelerator="hvf")
    with pytest.raises(UserError, match="1, 2, 3, 4 or 8 CPUs"):
        Machine(kernel, cpus=5)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("QEMU emulator version 10.0.2 (Debian 1:10)", (10, 0)),
        ("QEMU emulator version 7.2.22", (7, 2)),
        ("something else", (0, 0)),
    ],
)
def test_version_of_the_emulator(text: str, version: tuple[int, int]) -> None:
    assert emulator.parse_version(text) == version


def tar_of(**files: bytes) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name.replace("__", "/"))
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return raw.getvalue()


def sent(archive: bytes) -> bytes:
    return (
        f"tactus-results {len(archive)} {hashlib.sha256(archive).hexdigest()}\n".encode() + archive
    )


def test_results_arrive(tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(sent(tar_of(status=b"0\n", deep__file=b"\0\r\n")))
    results.unpack(tmp_path / "r", tmp_path / "out")
    assert (tmp_path / "out/status").read_bytes() == b"0\n"
    assert (tmp_path / "out/deep/file").read_bytes() == b"\0\r\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no results arrived"),
        (b"garbage", "no header"),
        (sent(tar_of(a=b"1"))[:-1], "10239 of 10240 bytes"),
        (sent(tar_of(a=b"1"))[:-1] + b"x", "the checksum"),
        (sent(b"no tar" * 200), "no archive"),
        (sent(tar_of(**{"..__evil": b"1"})), "outside"),
    ],
)
def test_damaged_results_are_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "r").write_bytes(data)
    with pytest.raises(results.Damaged, match=reason):
        results.unpack(tmp_path / "r", tmp_path / "out")
    assert not (tmp_path / "evil").exists()


def test_results_may_be_compressed(tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(sent(gzip.compress(tar_of(status=b"0\n"))))
    results.unpack(tmp_path / "r", tmp_path / "out")
    assert (tmp_path / "out/status").read_text() == "0\n"


# Replaces QEMU: a program that writes what a guest would write, then ends or stays.
GUEST = """
import pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
def say(text):
    with (folder / "console").open("a") as f: f.write(text + "\\r\\n")
say("[    0.000000] Linux version 6.1.0-test")
"""
GOOD = """
say("tactus-guest: ready"); say("tactus-guest: results")
(folder / "results").write_bytes((folder / "sent").read_bytes()); say("tactus-guest: off")
"""


def booted(tmp_path: Path, script: str, limit_s: float = 10.0) -> boot.Timing:
    folder, job, base = tmp_path / "run", tmp_path / "job", tmp_path / "base"
    for made in (folder, job):
        made.mkdir()
    base.write_bytes(b"")
    (job / "start").write_text("true\n")
    (folder / "sent").write_bytes(sent(tar_of(status=b"0\n")))
    run = boot.Run(folder, base, job, dict.fromkeys(State, limit_s))
    return run.run([sys.executable, "-c", GUEST + script, str(folder)], folder / "out")


def test_boot_goes_through_its_states(tmp_path: Path) -> None:
    timing = booted(tmp_path, GOOD)
    assert "off" in timing.seconds
    assert (tmp_path / "run/out/status").read_text() == "0\n"
    assert not (tmp_path / "run/initrd").exists()


@pytest.mark.parametrize(
    ("script", "name", "state", "reason"),
    [
        ("say('[ 1.0] Kernel panic - not syncing: VFS')", "panic", State.KERNEL, "VFS"),
        ("say('tactus-guest: ready'); say('[ 2.0] BUG: scheduling'); sys.exit(0)",
         "oops", State.JOB, "BUG: scheduling"),
        ("sys.exit('no such machine')", "died", State.KERNEL, "status 1: no such machine"),
        ("say('tactus-guest: ready')", "died", State.JOB, "status 0"),
        ("say('tactus-guest: off')", "damaged", State.OFF, "no results"),
    ],
)  # fmt: skip
def test_failed_boot_has_a_name(
    tmp_path: Path, script: str, name: str, state: State, reason: str
) -> None:
    with pytest.raises(boot.GuestFailure, match=reason) as failure:
        booted(tmp_path, script)
    assert (failure.value.name, failure.value.state) == (name, state)
    assert any("Linux version" in line for line in failure.value.tail)


def test_guest_that_hangs_is_ended(tmp_path: Path) -> None:
    with pytest.raises(boot.GuestFailure, match=r"state job.*no end after 1 s") as failure:
        booted(tmp_path, "say('tactus-guest: ready'); time.sleep(60)", limit_s=1.0)
    assert failure.value.name == "hang"


def test_guest_that_a_busy_machine_slows_down_does_not_hang(tmp_path: Path) -> None:
    script = "say('tactus-guest: ready')\n"
    # It computes for half of the time: beyond the limit by the clock, not by its own time.
    script += "end = time.monotonic() + 2\n"
    script += "while time.monotonic() < end: time.sleep(0.05); x = sum(range(300000))\n"
    script += "sys.exit('at its end')"
    with pytest.raises(boot.GuestFailure, match="at its end") as failure:
        booted(tmp_path, script, limit_s=1.5)
    assert failure.value.name == "died"


def test_guest_that_computes_for_ever_is_ended(tmp_path: Path) -> None:
    script = "say('tactus-guest: ready')\nwhile True: pass"
    with pytest.raises(boot.GuestFailure, match=r"state job.*no end after 0.5 s") as failure:
        booted(tmp_path, script, limit_s=0.5)
    assert failure.value.name == "hang"


def test_console_is_read_in_pieces(tmp_path: Path) -> None:
    console = Console(tmp_path / "console")
    with console.path.open("wb", buffering=0) as file:
        file.write(b"[    0.000000] Linux ver")
        console.follow()
        assert console.tail() == ["[    0.000000] Linux ver"]
        file.write(b"sion 6\r\ntactus-guest: rea")
        console.follow()
        states = [console.state]
        file.write(b"dy\r\nunfinished")
        console.follow()
    assert [*states, console.state] == [State.KERNEL, State.JOB]
    assert console.tail()[-1] == "unfinished"


def test_two_processors_take_short_turns_and_one_takes_none(tmp_path: Path) -> None:
    kernel = kernels.Kernel("generic", "6.1", Path("/k"))
    two = Machine(kernel, cpus=2, slice_us=10).command(Path("/q"), tmp_path)
    assert any(word.endswith("interval=10") for word in two)
    assert not any("filter" in word for word in Machine(kernel).command(Path("/q"), tmp_path))
