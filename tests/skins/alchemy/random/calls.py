# SPDX-License-Identifier: LGPL-2.1-or-later
"""The calls, by the manual of the skin: what each returns, None while it waits, SKIPPED where
nothing defines it. A call is one step."""

from __future__ import annotations

from world import (
    ACTORS,
    EDEADLK,
    EINTR,
    EINVAL,
    ENOMEM,
    EPERM,
    LIMIT,
    MUTEXES,
    NEVER,
    ROOM,
    SKIPPED,
    Mutex,
    Store,
    Task,
    World,
)


class Calls(World):
    def p(self, task: Task, what: int, how: int) -> int | None:
        sem, until = self.sems[what % 2], self.until(how)
        if sem.deleted:
            return -EINVAL
        if sem.number:
            sem.number -= 1
            return 0
        return self.wait(task, sem, until)

    def v(self, task: Task | None, what: int, how: int) -> int:
        sem = self.sems[what % 2]
        if sem.deleted:
            return -EINVAL
        if sem.waiting:
            self.go_on(sem.first(), 0)
        else:
            sem.number += 1
        return 0

    def broadcast(self, task: Task, what: int, how: int) -> int:
        sem = self.sems[what % 2]
        if sem.deleted:
            return -EINVAL
        for waiter in list(sem.waiting):
            self.go_on(waiter, 0)
        return 0

    def acquire(self, task: Task, what: int, how: int) -> int | None:
        mutex, until = self.mutexes[what % MUTEXES], self.until(how)
        if mutex.owner is task:
            mutex.count += 1
            return 0
        if not mutex.owner:
            self.own(task, mutex)
            return 0
        owner: Task | None = mutex.owner
        while until is not None and owner:
            if owner is task:
                return -EDEADLK
            owner = owner.place.owner if isinstance(owner.place, Mutex) else None
        return self.wait(task, mutex, until)

    def release(self, task: Task, what: int, how: int) -> int:
        mutex = self.mutexes[what % MUTEXES]
        if mutex.owner is not task:
            return -EPERM
        mutex.count -= 1
        if not mutex.count:
            self.pass_on(mutex)
        return 0

    def cond_wait(self, task: Task, what: int, how: int) -> int | None:
        mutex = self.mutexes[what % MUTEXES]
        if task.owned != [mutex] or mutex.count != 1:
            return SKIPPED
        cond, until = self.conds[what % 2], self.until(how)
        # Those who wait for one condition do so with one mutex.
        if until is not None and any(other.again is not mutex for other in cond.waiting):
            return -EINVAL
        result = self.wait(task, cond, until)
        if result is None:
            task.again = mutex
            self.pass_on(mutex)
        return result

    def cond_signal(self, task: Task, what: int, how: int) -> int:
        cond = self.conds[what % 2]
        if cond.waiting:
            self.go_on(cond.first(), 0)
        return 0

    def cond_broadcast(self, task: Task | None, what: int, how: int) -> int:
        for waiter in sorted(self.conds[what % 2].waiting, key=lambda t: -t.urgency()):
            self.go_on(waiter, 0)
        return 0

    def seen(self, event: Store, want: tuple[int, str]) -> int:
        bits = event.number & want[0]
        return bits if bits == want[0] or want[1] == "any" else 0

    def event_signal(self, task: Task, what: int, how: int) -> int:
        event = self.events[what % 2]
        if event.deleted:
            return -EINVAL
        event.number |= 1 << how % 3
        for waiter in list(event.waiting):
            bits = self.seen(event, waiter.want)
            if bits:
                self.go_on(waiter, bits)
        return 0

    def event_clear(self, task: Task, what: int, how: int) -> int:
        event = self.events[what % 2]
        before = event.number
        event.number &= ~(1 << how % 3)
        return -EINVAL if event.deleted else before

    def event_wait(self, task: Task, what: int, how: int, mode: str) -> int | None:
        event, until = self.events[what % 2], self.until(how)
        task.want = what // 2 + 1, mode
        if event.deleted:
            return -EINVAL
        return self.seen(event, task.want) or self.wait(task, event, until)

    def event_any(self, task: Task, what: int, how: int) -> int | None:
        return self.event_wait(task, what, how, "any")

    def event_all(self, task: Task, what: int, how: int) -> int | None:
        return self.event_wait(task, what, how, "all")

    def queue_write(self, task: Task, what: int, how: int) -> int:
        queue, word = self.queues[what % 2], task.number * 100 + task.at
        if queue.deleted:
            return -EINVAL
        if queue.waiting:
            readers = [queue.first()] if how < 7 else list(queue.waiting)
            for reader in readers:
                self.go_on(reader, word)
            return len(readers)
        if how == 7:
            return 0
        if len(queue.words) == LIMIT:
            return -ENOMEM
        queue.words.insert(0 if how >= 5 else len(queue.words), word)
        return 0

    def queue_read(self, task: Task, what: int, how: int) -> int | None:
        queue, until = self.queues[what % 2], self.until(how)
        if queue.deleted:
            return -EINVAL
        return queue.words.pop(0) if queue.words else self.wait(task, queue, until)

    def settle(self, buffer: Store) -> None:
        while buffer.waiting and buffer.words:
            self.go_on(buffer.first(), buffer.words.pop(0))
        while buffer.writers.waiting and len(buffer.words) < ROOM:
            writer = buffer.writers.first()
            buffer.words.append(writer.want[0])
            self.go_on(writer, 4)

    def buffer_write(self, task: Task, what: int, how: int) -> int | None:
        buffer, until = self.buffers[what % 2], self.until(how)
        task.want = task.number * 100 + task.at, ""
        if buffer.deleted:
            return -EINVAL
        if len(buffer.words) == ROOM:
            return self.wait(task, buffer.writers, until)
        buffer.words.append(task.want[0])
        self.settle(buffer)
        return 4

    def buffer_read(self, task: Task, what: int, how: int) -> int | None:
        buffer, until = self.buffers[what % 2], self.until(how)
        if buffer.deleted:
            return -EINVAL
        if not buffer.words:
            return self.wait(task, buffer, until)
        word = buffer.words.pop(0)
        self.settle(buffer)
        return word

    def heap_alloc(self, task: Task, what: int, how: int) -> int | None:
        heap = self.heaps[what % 2]
        if task.block[what % 2]:
            return SKIPPED
        until = self.until(how)
        if heap.deleted:
            return -EINVAL
        if not heap.number:
            return self.wait(task, heap, until)
        heap.number -= 1
        task.block[what % 2] = True
        return 0

    def heap_free(self, task: Task, what: int, how: int) -> int:
        heap, had = self.heaps[what % 2], task.block[what % 2]
        task.block[what % 2] = False
        if not had:
            return SKIPPED
        if heap.deleted:
            return -EINVAL
        if heap.waiting:
            waiter = heap.first()
            waiter.block[what % 2] = True
            self.go_on(waiter, 0)
        else:
            heap.number += 1
        return 0

    def alarm_start(self, task: Task, what: int, how: int) -> int:
        self.alarms[what % 2] = self.soon()
        return 0

    def alarm_stop(self, task: Task, what: int, how: int) -> int:
        self.alarms[what % 2] = NEVER
        return 0

    def sleep(self, task: Task, what: int, how: int) -> None:
        task.deadline, task.sleeps = self.soon(), True

    def priority(self, task: Task, what: int, how: int) -> int:
        other = self.tasks[how % len(self.tasks)]
        if other.gone:
            return SKIPPED
        other.base = 2 + what * ACTORS + other.number
        return 0

    def unblock(self, task: Task, what: int, how: int) -> int:
        other = self.tasks[how % len(self.tasks)]
        if other.gone or other is task:
            return SKIPPED
        if other.place and other.returns is not None:
            # It acquires a mutex again, and goes on with that when it runs.
            other.place.waiting.remove(other)
            other.place = None
        elif other.place or other.sleeps:
            self.go_on(other, -EINTR)
        return 0
