#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Threads of Python with a real-time policy: locks, queues, sleeps, a child, the end."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time

ITEMS = 200
done: queue.Queue[int] = queue.Queue()
items: queue.Queue[int] = queue.Queue(maxsize=4)
met = threading.Barrier(3)


def be_real_time(priority: int) -> None:
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    except PermissionError:
        os._exit(77)


def takes(priority: int) -> None:
    be_real_time(priority)
    met.wait()
    total = 0
    while (item := items.get()) >= 0:
        total += item
        if item % 50 == 0:
            time.sleep(0.001)
    done.put(total)


threads = [threading.Thread(target=takes, args=(20 + i,)) for i in range(2)]
for thread in threads:
    thread.start()
met.wait()
be_real_time(10)
for item in range(ITEMS):
    items.put(item)
for _ in threads:
    items.put(-1)
for thread in threads:
    thread.join()
print("total", sum(done.get() for _ in threads), "expected", sum(range(ITEMS)))
print("policy", os.sched_getscheduler(0), os.sched_getparam(0).sched_priority)
said = subprocess.run([sys.executable, "-c", "print('child')"], capture_output=True, check=False)
print(said.returncode, said.stdout.decode().strip())
try:
    items.get(timeout=0.01)
except queue.Empty:
    print("empty")
