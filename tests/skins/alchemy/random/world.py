# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tasks, what they wait at, and how waits begin and end, in time that only instants move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

ACTORS, MUTEXES, ROOM, LIMIT, BLOCKS = 5, 3, 2, 3, 2
EPERM, EINTR, EAGAIN, ENOMEM, EINVAL, EDEADLK, EIDRM, ETIMEDOUT = 1, 4, 11, 12, 22, 35, 43, 110
NEVER, SKIPPED = -1, -1000


@dataclass(eq=False)
class Place:
    """Where tasks wait: in the order of arrival, or by priority."""

    urgent_first: bool
    waiting: list[Task] = field(default_factory=list)

    def first(self) -> Task:
        if self.urgent_first:
            return max(self.waiting, key=lambda task: task.urgency())
        return self.waiting[0]


@dataclass(eq=False)
class Mutex(Place):
    owner: Task | None = None
    count: int = 0


@dataclass(eq=False)
class Store(Place):
    """Whatever else there is: units, bits, blocks or words; and who waits for room."""

    number: int = 0
    words: list[int] = field(default_factory=list)
    writers: Place = field(default_factory=lambda: Place(False))
    deleted: bool = False


@dataclass(eq=False)
class Task:
    number: int
    base: int
    steps: list[tuple[str, int, int]] = field(default_factory=list)
    at: int = 0
    gone: bool = False
    result: int | None = None  # of a call that has not returned yet
    place: Place | None = None  # where it waits
    deadline: int = NEVER
    sleeps: bool = False
    want: tuple[int, str] = (0, "")  # bits and how; or the word that it writes
    again: Mutex | None = None  # to be acquired again: of a wait for a condition
    returns: int | None = None  # once it is
    owned: list[Mutex] = field(default_factory=list)
    block: list[bool] = field(default_factory=lambda: [False] * BLOCKS)

    def urgency(self) -> int:
        raised = (w.urgency() for mutex in self.owned for w in mutex.waiting)
        return max([self.base, *raised])


class World:
    def __init__(self, lines: Sequence[str]) -> None:
        self.tasks: list[Task] = []
        self.now = self.latest = 0
        self.told: list[str] = []
        for line in lines:
            word = line.split()
            if word[0] == "actor":
                self.tasks.append(Task(int(word[1]), int(word[2])))
            elif word[0] == "step":
                self.tasks[int(word[1])].steps.append((word[2], int(word[3]), int(word[4])))
        self.mutexes = [Mutex(True) for _ in range(MUTEXES)]

        def stores(*numbers: int) -> list[Store]:
            return [Store(i == 1, [], n, writers=Place(i == 1)) for i, n in enumerate(numbers)]

        self.sems, self.events = stores(0, 1), stores(0, 1)
        self.queues, self.buffers = stores(0, 0), stores(0, 0)
        self.heaps, self.conds = stores(BLOCKS, BLOCKS), stores(0, 0)
        for cond in self.conds:
            cond.urgent_first = True
        self.alarms = [NEVER, NEVER]

    def soon(self) -> int:
        self.latest = max(self.latest, self.now) + 1
        return self.latest

    def until(self, how: int) -> int | None:
        """NEVER, an instant, or None: not at all."""
        return NEVER if how < 4 else None if how < 6 else self.soon()

    def wait(self, task: Task, place: Place, until: int | None) -> int | None:
        if until is None:
            return -EAGAIN
        task.place, task.deadline = place, until
        place.waiting.append(task)
        return None

    def go_on(self, task: Task, result: int) -> None:
        """Its wait has ended. Who was signalled has the mutex again, or waits for it, at once;
        whose wait was broken sees to it when it runs."""
        if task.place:
            task.place.waiting.remove(task)
        task.place, task.deadline, task.sleeps = None, NEVER, False
        if not task.again:
            task.result = result
            return
        task.returns = result
        if not result:
            self.acquire_again(task)

    def acquire_again(self, task: Task) -> None:
        mutex = task.again
        assert mutex
        if mutex.owner:
            task.place = mutex
            mutex.waiting.append(task)
        else:
            self.own(task, mutex)
            task.result, task.again, task.returns = task.returns, None, None

    def own(self, task: Task, mutex: Mutex) -> None:
        mutex.owner, mutex.count = task, 1
        task.owned.append(mutex)

    def pass_on(self, mutex: Mutex) -> None:
        assert mutex.owner
        mutex.owner.owned.remove(mutex)
        mutex.owner = None
        if mutex.waiting:
            task = mutex.first()
            self.own(task, mutex)
            result, task.again, task.returns = task.returns or 0, None, None
            self.go_on(task, result)

    def delete(self, store: Store) -> None:
        store.deleted = True
        for task in [*store.waiting, *store.writers.waiting]:
            self.go_on(task, -EIDRM)
