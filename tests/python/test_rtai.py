# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus rtai`: modules that gcc makes here, in virtual time, and once on threads."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tactus import cli, rtai
from tactus.commands import rtai as command
from tactus.project import Project, UserError

HEAD = """
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <rtai_fifos.h>
#include <rtai_sched.h>
#include <rtai_sem.h>
"""
COUNTER = """
static int period = 100000000;
module_param(period, int, 0444);
MODULE_PARM_DESC(period, "ns between two turns");
static unsigned short small;
module_param(small, ushort, 0);
static bool wide;
module_param(wide, bool, 0);
static char *label = "none";
module_param(label, charp, 0);
static long places[3];
static int places_given;
module_param_array(places, long, &places_given, 0);
static char text[8];
module_param_string(text, text, sizeof(text), 0);
static int old[4];
MODULE_PARM(old, "1-4i");
static RT_TASK task;
int turns;
EXPORT_SYMBOL(turns);
static void run(long step) { for (;;) { turns += step; rt_task_wait_period(); } }
static int __init begin(void)
{
    printk(KERN_INFO "%d %u %d %s %ld,%ld %d %s %d\\n", period, small, wide, label, places[0],
        places[1], places_given, text, old[1]);
    rt_task_init(&task, run, 1, 4096, 1, 0, 0);
    return rt_task_make_periodic(&task, rt_get_time() + period, period);
}
static void __exit end(void) { rt_task_delete(&task); printk("%d turns\\n", turns); }
module_init(begin);
module_exit(end);
"""
NUMBERS = itertools.count()
Make = Callable[[str, str], str]
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite has built everything."""
    monkeypatch.setattr(command, "NEEDS_BUILD", False)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    config = Project.here().program("skins/rtai/rtai-config")

    def flags(*options: str) -> list[str]:
        return subprocess.run(
            [config, *options], capture_output=True, text=True, check=True
        ).stdout.split()

    def compile_module(name: str, text: str) -> str:
        source, made = tmp_path / f"{name}.c", tmp_path / f"{name}.so"
        source.write_text(HEAD + text, encoding="utf-8")
        compiler = ["gcc", *flags("--module-cflags"), "-Wall", "-Werror"]
        compiler += [str(source), "-o", str(made)]
        subprocess.run([*compiler, *flags("--module-ldflags")], check=True)
        return str(made)

    return compile_module


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str]) -> Iterator[Say]:
    """Runs an action in a session of its own, which ends with the test."""
    session = f"test-{os.getpid()}-{next(NUMBERS)}"

    def run_action(action: str, *words: str) -> tuple[int, str, str]:
        status = cli.main(["rtai", action, "--session", session, *words])
        told = capfd.readouterr()
        return status, told.out, told.err

    yield run_action
    listed = rtai.request(session, ["lsmod"])
    for line in reversed(listed.text.splitlines()[1:] if listed else []):
        if not line.startswith(" "):
            rtai.request(session, ["rmmod", line.split()[0]])
    capfd.readouterr()
    # Processes of modules stay when `tactus` ends; here they are children of the test.
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, 0)[0]:
            pass


def test_module_is_loaded_listed_and_unloaded(make: Make, say: Say) -> None:
    module = make("counter", COUNTER)
    assert say("lsmod") == (0, "", "")
    given = [
        "period=0x5f5e100",
        "small=7",
        "wide=Y",
        "label=abc",
        "places=1,2",
        "text=hello",
        "old=3,4",
    ]
    assert say("insmod", "--core", "sim", module, *given) == (
        0,
        "100000000 7 1 abc 1,2 2 hello 4\n",
        "",
    )
    listed = say("lsmod")[1].splitlines()
    assert listed[1].split()[0] == "counter" and listed[1].split()[2] == "-"
    assert listed[2].strip() == " ".join(given)
    assert say("sleep", "1s") == (0, "", "")
    assert say("rmmod", "counter") == (0, "10 turns\n", "")
    assert say("lsmod") == (0, "", "")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("perod=1", "insmod: counter: there is no parameter perod; there are:\n"),
        ("period=1k", "period=1k: the parameter takes int, and this is none that fits\n"),
        ("period=3000000000", "period=3000000000: the parameter takes int, and this"),
        ("period=", "period=: the parameter takes int, and this is none that fits\n"),
        ("small=-1", "small=-1: the parameter takes ushort, and this is none that fits\n"),
        ("small=65536", "small=65536: the parameter takes ushort"),
        ("wide=2", "wide=2: the parameter takes bool"),
        ("places=1,x", "places=x: the parameter takes an array of long"),
        ("places=1,2,3,4", "places: more than the 3 values that it has room for\n"),
        ("text=12345678", "text=12345678: the parameter takes string"),
        ("old=1,2,3,4,5", "old: more than the 4 values"),
        ("period", "period is no parameter and value: write NAME=VALUE\n"),
    ],
)
def test_values_are_checked(make: Make, say: Say, value: str, said: str) -> None:
    status, out, err = say("insmod", "--core", "sim", make("counter", COUNTER), value)
    assert (status, out) == (1, "") and said in err
    assert say("lsmod") == (0, "", "")


def test_unknown_parameter_lists_those_that_there_are(make: Make, say: Say) -> None:
    err = say("insmod", "--core", "sim", make("counter", COUNTER), "x=1")[2]
    assert "  period (int): ns between two turns\n" in err and "  old (1-4i)\n" in err
    plain = make("plain", "int init_module(void) { return 0; }\nvoid cleanup_module(void) {}")
    assert (
        "there is no parameter x, and no other one"
        in say("insmod", "--core", "sim", plain, "x=1")[2]
    )


def test_init_that_fails_is_told_and_undone(make: Make, say: Say) -> None:
    module = make(
        "fails",
        "static RT_TASK task;\nstatic void run(long x) { (void)x; rt_task_suspend(NULL); }\n"
        "int init_module(void) { rt_task_init(&task, run, 0, 0, 1, 0, 0);\n"
        ' rt_register(nam2num("boiler"), &task, 0, NULL); return -EBUSY; }\n',
    )
    status, out, err = say("insmod", "--core", "sim", module)
    assert status == 1
    assert err == "insmod: fails: init_module() returned -16: Device or resource busy\n"
    assert "fails left the task" in out
    assert say("lsmod") == (0, "", "")
    positive = make("positive", "int init_module(void) { return 3; }")
    assert "init_module() returned 3\n" in say("insmod", "--core", "sim", positive)[2]


def test_module_uses_another_one(make: Make, say: Say) -> None:
    user = make(
        "user",
        'extern int turns;\nint init_module(void) { printk("at %d\\n", turns); return 0; }\n'
        "void cleanup_module(void) {}",
    )
    status, _, err = say("insmod", "--core", "sim", user)
    assert (
        status == 1
        and "user: nothing loaded defines turns: load the module that exports it first" in err
    )
    assert say("insmod", "--core", "sim", make("counter", COUNTER))[0] == 0
    say("sleep", "500ms")
    assert say("insmod", user) == (0, "at 5\n", "")
    assert say("lsmod")[1].splitlines()[1].split()[2] == "user"
    assert say("rmmod", "counter") == (1, "", "rmmod: counter: it is in use by user\n")
    assert say("rmmod", "user")[0] == 0
    assert say("rmmod", "counter")[0] == 0


def test_names_of_two_modules_are_no_conflict(make: Make, say: Say) -> None:
    text = 'int number = {0};\nint init_module(void) {{ printk("%d\\n", number); return 0; }}\n'
    assert say("insmod", "--core", "sim", make("one", text.format(1)))[1] == "1\n"
    assert say("insmod", make("two", text.format(2)))[1] == "2\n"


def test_what_is_left_is_told_and_deleted(make: Make, say: Say) -> None:
    module = make(
        "leaves",
        "static RT_TASK task;\nstatic SEM sem;\n"
        "static void run(long x) { (void)x; rt_sem_wait(&sem); }\n"
        "static void later(void) {}\n"
        "int init_module(void) { rt_sem_init(&sem, 0); rtf_create(5, 10);\n"
        " rt_request_srq(0, later, NULL);\n"
        " rt_task_init(&task, run, 0, 0, 1, 0, 0); return rt_task_resume(&task); }\n"
        "void cleanup_module(void) {}\n",
    )
    assert say("insmod", "--core", "sim", module)[0] == 0
    status, out, _ = say("rmmod", "leaves")
    assert status == 0
    for what in ("the task ", "the sem ", "the FIFO 5:", "the request to Linux:"):
        assert f"leaves left {what}" in out


def test_log_is_kept(make: Make, say: Say) -> None:
    module = make(
        "talks",
        'int init_module(void) { printk(KERN_ERR "one\\n"); rt_printk("two\\n"); return 0; }\n'
        'void cleanup_module(void) { printk("three\\n"); }\n',
    )
    assert say("insmod", "--core", "sim", module)[1] == "one\ntwo\n"
    assert say("dmesg") == (0, "one\ntwo\n", "")
    assert say("rmmod", "talks")[1] == "three\n"


def test_mistakes_are_told(make: Make, say: Say, tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no object", encoding="utf-8")
    empty = tmp_path / "empty.so"
    empty.touch()
    program = tmp_path / "program.so"
    subprocess.run(
        ["gcc", "-xc", "-shared", "-fPIC", "-", "-o", program],
        input="int main(void) { return 0; }",
        text=True,
        check=True,
    )
    neither = make("neither", "int other;")
    for path, said in (
        (text, "it is no ELF file: compile it with cc -shared"),
        (empty, "it is no file with an object"),
        (program, "it is a program and no module: tactus rtai run has both"),
        (Path("/bin/true"), "init_module"),
        (Path(neither), "it has neither init_module() nor main()"),
    ):
        status, _, err = say("insmod", "--core", "sim", str(path))
        assert status == 1 and said in err
    status, _, err = say("insmod", str(tmp_path / "nothing.so"))
    assert status == 2 and "there is no such file" in err
    assert say("rmmod", "counter")[0] == 2
    assert say("sleep", "2")[0] == 2
    assert say("insmod", "--core", "sim", make("counter", COUNTER))[0] == 0
    assert say("rmmod", "cuonter") == (
        1,
        "",
        "rmmod: cuonter: no module of this name is loaded: tactus rtai lsmod\n",
    )
    status, _, err = say("insmod", make("counter", COUNTER))
    assert status == 1 and "a module of this name is loaded: tactus rtai rmmod counter" in err
    assert "run on sim: choose another session" in say("insmod", "--core", "thread", neither)[2]


def test_end_of_the_process_leaves_nothing(make: Make, say: Say) -> None:
    module = make(
        "crashes", 'int init_module(void) { printk("soon\\n"); *(volatile int *)8 = 1; return 0; }'
    )
    status, out, err = say("insmod", "--core", "sim", module)
    assert status == 2 and "soon\n" in out and "the process of the modules has ended" in err
    assert say("lsmod") == (0, "", "")
    assert say("insmod", "--core", "sim", make("counter", COUNTER))[0] == 0


def test_objects_run_for_a_time(
    make: Make, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    module = make("counter", COUNTER)
    assert cli.main(["rtai", "run", "--for", "1s", module, "period=200000000"]) == 0
    assert capfd.readouterr().out.endswith("5 turns\n")
    assert cli.main(["rtai", "run", "--for", "1s", "--seed", "7", module]) == 0
    assert capfd.readouterr().out.endswith("10 turns\n")
    assert cli.main(["rtai", "run", "--for", "1s", module, "perod=1"]) == 1
    assert "no parameter perod" in capfd.readouterr().out
    for words in (["--for", "1"], ["--core", "thread", "--seed", "1"]):
        assert cli.main(["rtai", "run", *words, module]) == 2
    program = tmp_path / "three.so"
    text = (
        "int puts(const char *);\nint main(int n, char **words) { puts(words[n - 1]); return 3; }\n"
    )
    subprocess.run(
        ["gcc", "-xc", "-shared", "-fPIC", "-", "-o", program], input=text, text=True, check=True
    )
    assert cli.main(["rtai", "run", module, str(program), "a=b"]) == 1
    assert "a=b\n" in capfd.readouterr().out


def test_names_are_checked() -> None:
    with pytest.raises(UserError, match="no name of a session"):
        rtai.socket_name("a/b")
    assert rtai.duration_ns("1.5ms") == 1_500_000
    with pytest.raises(UserError, match="is no time"):
        rtai.duration_ns("soon")


@pytest.mark.alone
def test_fifos_are_files_of_the_machine(make: Make, say: Say, tmp_path: Path) -> None:
    module = make(
        "pump",
        "static int handler(unsigned int fifo, int rw) { char text[9] = {0};\n"
        " if (rw == 'w') { if (rtf_get(fifo, text, 8) > 0 && text[0] == '?') return -EINVAL;\n"
        "  rtf_put(40, text, (int)strlen(text)); } return 0; }\n"
        "int init_module(void) { rtf_create(40, 100); rtf_create(41, 100);\n"
        ' rtf_put(40, "ready\\n", 6); return rtf_create_handler(41, X_FIFO_HANDLER(handler)); }\n'
        "void cleanup_module(void) { rtf_destroy(40); rtf_destroy(41); }\n",
    )
    status, _, err = say("insmod", module)
    assert status == 0, err
    if "cannot be made" in say("dmesg")[1]:
        pytest.skip("this machine does not let the file be made")
    with Path("/dev/rtf40").open("rb", buffering=0) as reader, Path("/dev/rtf40").open("rb"):
        assert reader.read(64) == b"ready\n"
        with Path("/dev/rtf41").open("wb", buffering=0) as writer:
            writer.write(b"go")
            assert reader.read(64) == b"go"
            with pytest.raises(OSError, match="Invalid argument"):
                writer.write(b"?")
        assert seen_by_a_program(tmp_path) == "seen ready\n"
    assert say("rmmod", "pump")[0] == 0
    assert not Path("/dev/rtf40").exists()
    assert say("insmod", module)[0] == 0
    (host,) = [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and hosts_session(entry)
    ]
    os.kill(host, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while hosts_session(Path(f"/proc/{host}")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert say("lsmod") == (0, "", "")
    # What the killed process has left does not keep the next one from its file.
    assert say("insmod", module)[0] == 0
    assert Path("/dev/rtf40").exists()
    assert say("rmmod", "pump")[0] == 0


def seen_by_a_program(folder: Path) -> str:
    """What a program of RTAI's user space reads, whose own FIFOs have the same paths."""
    config = Project.here().program("skins/rtai/rtai-config")

    def flags(option: str) -> list[str]:
        return subprocess.run(
            [config, option], capture_output=True, text=True, check=True
        ).stdout.split()

    source = folder / "reader.c"
    source.write_text(
        "#include <rtai_fifos.h>\n"
        'int main(void) { char text[9] = {0}; int from = open("/dev/rtf40", O_RDONLY);\n'
        ' int to = open("/dev/rtf41", O_WRONLY);\n'
        ' if (write(to, "ready\\n", 6) == 6 && read(from, text, 8) > 0) printf("seen %s", text);\n'
        " return close(from) || close(to); }\n",
        encoding="utf-8",
    )
    made = folder / "reader"
    compiler = ["gcc", *flags("--lxrt-cflags"), str(source), "-o", str(made)]
    subprocess.run([*compiler, *flags("--lxrt-ldflags")], check=True)
    return subprocess.run([made], capture_output=True, text=True, check=True).stdout


def hosts_session(process: Path) -> bool:
    """Is it a process of modules of this test?"""
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"serve" in words and f"test-{os.getpid()}-".encode() in words[2]


def test_session_that_another_user_has_is_refused() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    name = f"test{os.getpid()}"
    serve = (
        "import os, socket, sys\n"
        "os.setuid(65534)\n"
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
        "s.bind('\\0' + sys.argv[1])\n"
        "s.listen()\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", serve, rtai.socket_name(name)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        with pytest.raises(UserError, match="a process of user 65534 has its name"):
            rtai.connect(name)
        other.communicate()
