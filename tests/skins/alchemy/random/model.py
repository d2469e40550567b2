# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a random program does on one CPU: of those who are ready the most urgent one runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from calls import Calls
from world import ACTORS, ETIMEDOUT, NEVER, SKIPPED, Task


class Model(Calls):
    def leave(self, task: Task) -> bool:
        """One thing that it has; False: nothing is left."""
        for number, mutex in enumerate(self.mutexes):
            if mutex.owner is task:
                self.release(task, number, 0)
                return True
        for number, had in enumerate(task.block):
            if had:
                self.heap_free(task, number, 0)
                return True
        return False

    def step(self, task: Task) -> None:
        if task.result is not None:
            name = task.steps[task.at][0]
            if task.result is not SKIPPED:
                self.told.append(f"{task.number}.{task.at} {name} = {task.result}")
            task.result = None
            task.at += 1
        elif task.again:
            self.acquire_again(task)
        elif task.at < len(task.steps):
            name, what, how = task.steps[task.at]
            call: Callable[[Task, int, int], int | None] = getattr(self, name)
            task.result = call(task, what, how)
        elif not self.leave(task):
            self.told.append(f"{task.number}.{task.at} end = 0")
            task.gone = True

    def run_ready(self) -> None:
        while ready := [t for t in self.tasks if not (t.gone or t.place or t.sleeps)]:
            self.step(max(ready, key=lambda task: task.urgency()))

    def run_all(self) -> None:
        """Until all wait for ever."""
        self.run_ready()
        while True:
            dates = [t.deadline for t in self.tasks if t.deadline != NEVER]
            dates += [date for date in self.alarms if date != NEVER]
            if not dates:
                return
            self.now = min(dates)
            for number, date in enumerate(self.alarms):
                if date == self.now:
                    self.alarms[number] = NEVER
                    self.v(None, number, 0)
            for task in self.tasks:
                if task.deadline == self.now:
                    self.go_on(task, 0 if task.sleeps else -ETIMEDOUT)
            self.run_ready()

    def free(self, turn: int) -> None:
        stores = [self.sems, self.events, self.queues, self.buffers, self.heaps]
        if turn // 2 % 6 == 5:
            self.cond_broadcast(None, turn % 2, 0)
        elif not stores[turn // 2 % 6][turn % 2].deleted:
            self.delete(stores[turn // 2 % 6][turn % 2])

    def run(self) -> Iterator[str]:
        turn = 0
        self.run_all()
        while True:
            self.now = self.latest
            self.told.append(f"{ACTORS}.{turn} referee = 0")
            self.free(turn)
            self.run_ready()
            turn += 1
            self.latest += 1
            if all(task.gone for task in self.tasks):
                yield from self.told
                return
            self.run_all()


def notes(lines: Sequence[str]) -> list[str]:
    return list(Model(lines).run())
