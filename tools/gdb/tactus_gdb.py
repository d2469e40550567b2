# SPDX-License-Identifier: LGPL-2.1-or-later
"""Commands for gdb: the real-time tasks of a program that is debugged, or of its core file.

The tasks come from the program's status segment (abi/status.h), and so without debug information. A
task is in one of three places: on the Linux thread that is its real-time CPU; on its shadow in
secondary mode; or parked, with its registers on its own stack as hal/arch/x86_64/switch.S leaves
them. Nothing in the program is changed to show the frames of a parked task: an unwinder appends
them to the first frame of the thread.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import gdb
from gdb.unwinder import Unwinder, register_unwinder

HERE = Path(__file__).resolve().parent
SEGMENT = re.compile(r"(0x[0-9a-f]+)\s+0x[0-9a-f]+\s+(0x[0-9a-f]+)\s.*memfd:tactus-status")
# Of hal/linux/program.h, and of the C library.
EVENT_SIGNAL = 33
# hal_arch_swap(): control words, then these, then the return address.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
SAVED_OFFSET = 8
# struct hal_self behind the GS base of a real-time CPU's thread, struct hal_cpu around it.
SELF_KIND, SELF_KIND_CPU, CPU_INDEX = 16, 1, 24
NO_SLOT = 0xFFFFFFFE
# The most telling one first.
STATES = ("FAULTED", "ENDED", "DORMANT", "SUSPENDED")
STATES += ("WAITING", "SLEEPING", "THROTTLED", "MOVING")


def layout() -> dict:
    for folder in (HERE, HERE.parent / "abi"):
        if (folder / "abi.json").is_file():
            return json.loads((folder / "abi.json").read_text(encoding="ascii"))
    raise gdb.GdbError(f"abi.json is not in {HERE}: build or install Tactus again")


def read(address: int, size: int) -> bytes:
    return bytes(gdb.selected_inferior().read_memory(address, size))


def number(address: int, size: int = 8) -> int:
    return int.from_bytes(read(address, size), "little")


@dataclass(frozen=True)
class Task:
    """A slot of the segment."""

    slot: int
    fields: dict
    running: bool

    @property
    def handle(self) -> int:
        return self.fields["handle"]

    @property
    def title(self) -> str:
        return self.fields["name"] or f"{self.handle:#x}"


class Segment:
    """The status segment of the program."""

    def __init__(self) -> None:
        self.abi = layout()
        self.constants = self.abi["constants"]
        self.base = self.find()
        self.header = self.record("tact_status_header", self.base)
        if self.header["revision"] != self.constants["TACT_STATUS_REVISION"]:
            raise gdb.GdbError(
                f"the program's status segment has revision {self.header['revision']}: "
                "use the tactus-gdb with which it was built"
            )

    def find(self) -> int:
        try:
            said = gdb.execute("info proc mappings", to_string=True)
        except gdb.error as error:
            raise gdb.GdbError(f"no program runs and no core file is loaded ({error})") from None
        for line in said.splitlines():
            match = SEGMENT.search(line)
            if match:
                base = int(match[1], 16)
                if number(base) == self.constants["TACT_STATUS_MAGIC"]:
                    return base
        raise gdb.GdbError("the program has not started Tactus (no status segment)")

    def record(self, name: str, address: int) -> dict:
        data = read(address, self.abi["sizes"][name])
        fields = {}
        for field, place in self.abi["structures"][name].items():
            raw = data[place["offset"] : place["offset"] + place["bytes"]]
            if place["kind"] == "text":
                fields[field] = raw.split(b"\0", 1)[0].decode("utf-8", "replace")
            else:
                fields[field] = int.from_bytes(raw, "little")
        return fields

    def cpu(self, index: int) -> dict:
        head = self.header
        return self.record(
            "tact_status_cpu", self.base + head["cpu_offset"] + index * head["cpu_stride"]
        )

    def tasks(self) -> list:
        head = self.header
        current = {self.cpu(i)["current_slot"] for i in range(head["cpus"])}
        found = []
        for slot in range(head["cpus"] * head["slots_per_cpu"]):
            at = self.base + head["slot_offset"] + slot * head["slot_stride"]
            # Most slots are free, which four bytes show.
            place = self.abi["structures"]["tact_status_task"]["handle"]
            if number(at + place["offset"], place["bytes"]):
                found.append(Task(slot, self.record("tact_status_task", at), slot in current))
        return found

    def has(self, task: Task, *names: str) -> bool:
        return any(task.fields["state"] & self.constants[f"TACT_TASK_STATE_{n}"] for n in names)

    def state(self, task: Task) -> str:
        for name in STATES:
            if self.has(task, name):
                return name.lower()
        if self.has(task, "RELAXED"):
            return "linux"
        return "running" if task.running else "ready"

    def mode(self, task: Task) -> str:
        if task.fields["light"]:
            return "light"
        return "secondary" if self.has(task, "RELAXED") else "primary"

    def find_task(self, word: str) -> Task:
        tasks = self.tasks()
        for task in tasks:
            if word in (task.fields["name"], f"{task.handle:#x}", str(task.handle)):
                return task
        raise gdb.GdbError(f"no task {word}: `tactus tasks` lists them")


class ParkedUnwinder(Unwinder):
    """While it has a stack pointer, that parked task's frames follow the thread's first frame."""

    class FrameId:
        def __init__(self, sp, pc) -> None:
            self.sp = sp
            self.pc = pc

    def __init__(self) -> None:
        super().__init__("tactus-parked")
        self.context_sp = 0
        self.own = (0, 0)

    def show(self, context_sp: int) -> None:
        self.context_sp = 0
        gdb.invalidate_cached_frames()
        if context_sp:
            # The first frames may be inlined ones: registers identify the thread's frame, not a
            # level.
            frame = gdb.newest_frame()
            self.own = tuple(int(frame.read_register(name)) for name in ("rip", "rsp"))
            self.context_sp = context_sp
            gdb.invalidate_cached_frames()

    def level(self) -> int:
        """The frame id of the parked task's first frame."""
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        return frame.level() + 1

    def __call__(self, pending):
        if not self.context_sp:
            return None
        own_pc = pending.read_register("rip")
        own_sp = pending.read_register("rsp")
        if (int(own_pc), int(own_sp)) != self.own:
            return None
        # Below the task's frames, because gdb refuses callers that are inside of their callees.
        frame_id = self.FrameId(gdb.Value(self.context_sp).cast(own_sp.type), own_pc)
        info = pending.create_unwind_info(frame_id)
        at = self.context_sp + SAVED_OFFSET
        for name in SAVED:
            register = pending.read_register(name)
            info.add_saved_register(name, gdb.Value(number(at)).cast(register.type))
            at += 8
        info.add_saved_register("rsp", gdb.Value(at).cast(own_sp.type))
        return info


UNWINDER = ParkedUnwinder()


def thread_of_tid(tid: int):
    return next((t for t in gdb.selected_inferior().threads() if t.ptid[1] == tid), None)


def thread_of_cpu(index: int):
    """The thread that is a real-time CPU, identified by the target of its GS base."""
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        try:
            base = int(gdb.selected_frame().read_register("gs_base"))
            if not base or number(base) != base:
                continue
            if (number(base + SELF_KIND, 4), number(base + CPU_INDEX, 4)) == (SELF_KIND_CPU, index):
                return thread
        except (gdb.error, ValueError):
            continue
    return None


def sim_entities() -> list:
    """The flows of the virtual-time back end, which are visible only with debug information."""
    try:
        engine = gdb.parse_and_eval("sim_engine")
        entity = gdb.lookup_type("struct sim_entity")
    except gdb.error:
        return []
    offset = next(f.bitpos // 8 for f in entity.fields() if f.name == "all")
    head = engine["entities"].address
    found = []
    link = engine["entities"]["next"]
    while int(link) and int(link) != int(head):
        found.append(gdb.Value(int(link) - offset).cast(entity.pointer()))
        link = link["next"]
    return found


def sim_place(task: Task):
    """The simulated flow that runs a task: its saved stack pointer, or the host thread, or None."""
    for entity in sim_entities():
        kind = str(entity["kind"])
        if task.running:
            fits = kind == "SIM_CPU" and int(entity["id"]) == task.fields["cpu"]
        elif kind == "SIM_SHADOW":
            owner = entity["shadow"]["owner"].cast(gdb.lookup_type("struct nuc_task").pointer())
            fits = int(owner["object"]["handle"]) == task.handle
        else:
            fits = False
        if fits:
            if int(entity) == int(gdb.parse_and_eval("sim_engine.current")):
                return gdb.selected_inferior().threads()[-1]
            return int(entity["flow"]["stack_pointer"])
    return None


def place_of(segment: Segment, task: Task):
    """A gdb thread, the stack pointer of a parked context, or the reason why there is none."""
    if segment.has(task, "ENDED"):
        return "has ended"
    if segment.has(task, "RELAXED"):
        place = (
            thread_of_tid(task.fields["linux_tid"]) if task.fields["linux_tid"] else sim_place(task)
        )
        return place or "its Linux thread is not in this session"
    if task.running:
        return (
            thread_of_cpu(task.fields["cpu"]) or sim_place(task) or "its CPU's thread was not found"
        )
    if segment.has(task, "DORMANT") or not task.fields["context_sp"]:
        return "has not run yet"
    return task.fields["context_sp"]


class Selection:
    """Keeps the user's selection while the command selects others."""

    def __enter__(self):
        self.thread = gdb.selected_thread()
        self.parked = UNWINDER.context_sp
        UNWINDER.show(0)
        return self

    def __exit__(self, *unused) -> None:
        UNWINDER.show(self.parked)
        if self.thread and self.thread.is_valid():
            self.thread.switch()


def backtrace(place) -> None:
    if isinstance(place, str):
        print(f"    {place}")
    elif isinstance(place, int):
        UNWINDER.show(place)
        level = UNWINDER.level()
        lines = gdb.execute("bt", to_string=True).splitlines()
        UNWINDER.show(0)
        # The thread's own frames before it do not belong to the task.
        first = next((i for i, s in enumerate(lines) if s.startswith(f"#{level} ")), len(lines))
        for line in lines[first:]:
            print(re.sub(r"^#(\d+ *)", lambda m: f"#{int(m[1]) - level:<3}", line))
    else:
        place.switch()
        gdb.execute("bt")


class Tactus(gdb.Command):
    """Real-time tasks: tactus tasks, tactus bt [TASK], tactus task TASK|off."""


class Tasks(gdb.Command):
    """List the tasks: CPU, priority, mode, state and what each waits for."""

    def invoke(self, argument: str, _from_tty: bool) -> None:
        if argument:
            raise gdb.GdbError("tactus tasks takes no argument")
        segment = Segment()
        tasks = segment.tasks()
        width = max([len(t.title) for t in tasks] + [4])
        names = {t.handle: t.fields["name"] for t in tasks}
        print(f"{'TASK':{width}}  HANDLE    CPU PRIO MODE      STATE     WAITS FOR")
        for task in tasks:
            waits = "-"
            if task.fields["waits_for"]:
                handle = task.fields["waits_for"]
                waits = task.fields["waits_name"] or names.get(handle) or f"{handle:#x}"
            print(
                f"{task.title:{width}}  {task.handle:#09x} {task.fields['cpu']:3}"
                f" {task.fields['priority']:4} {segment.mode(task):9}"
                f" {segment.state(task):9} {waits}"
            )
        for index in range(segment.header["cpus"]):
            if segment.cpu(index)["current_slot"] == NO_SLOT:
                print(f"CPU {index} runs a task that has no slot in the status segment")


class Backtrace(gdb.Command):
    """Show where tasks are: tactus bt [NAME|HANDLE]; without an argument, all tasks."""

    def invoke(self, argument: str, _from_tty: bool) -> None:
        segment = Segment()
        tasks = [segment.find_task(argument)] if argument else segment.tasks()
        with Selection():
            for task in tasks:
                mode, state = segment.mode(task), segment.state(task)
                print(f"\ntask {task.title} ({task.handle:#x}), {mode}, {state}")
                backtrace(place_of(segment, task))


class Select(gdb.Command):
    """Select a task, so that bt, up, frame and print show its frames: tactus task NAME|HANDLE|off.

    For a parked task, its first frame is selected; the current thread's own frames are below it."""

    def invoke(self, argument: str, _from_tty: bool) -> None:
        if not argument:
            raise gdb.GdbError("name a task, or off: `tactus tasks` lists them")
        UNWINDER.show(0)
        if argument == "off":
            return
        segment = Segment()
        place = place_of(segment, segment.find_task(argument))
        if isinstance(place, str):
            raise gdb.GdbError(f"task {argument} {place}")
        if isinstance(place, int):
            UNWINDER.show(place)
            gdb.execute(f"frame {UNWINDER.level()}")
        else:
            place.switch()
            gdb.execute("frame 0")


def quiet(signal: str) -> None:
    gdb.execute(f"handle {signal} nostop noprint pass", to_string=True)


def on_continue(_event) -> None:
    """The selection of a parked task ends when the program continues."""
    UNWINDER.show(0)


register_unwinder(None, UNWINDER, replace=True)
quiet("SIGSYS")
quiet(f"SIG{EVENT_SIGNAL}")
Tactus("tactus", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)
Tasks("tactus tasks", gdb.COMMAND_STACK)
Backtrace("tactus bt", gdb.COMMAND_STACK)
Select("tactus task", gdb.COMMAND_STACK)
gdb.events.cont.connect(on_continue)
