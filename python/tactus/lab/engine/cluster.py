# SPDX-License-Identifier: LGPL-2.1-or-later
"""Jobs side by side on a Dask cluster: a local one on this machine, or the named one.

A worker that dies loses its run, which starts again on another worker. A run that has cost REPEATS
workers becomes a result of the status `lost`.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import signal
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tactus.lab.engine import work
from tactus.lab.model import Job, RunResult, RunStatus, failed
from tactus.project import UserError

if TYPE_CHECKING:
    from tactus.lab.engine.session import Session

REPEATS = 3
CONNECT_S = 20
POLL_S = 0.5
FETCH_S = 5.0


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ctrl-C goes to each process of the terminal. Workers, which are ended from here, would print
    tracebacks of it; so they, and the processes that start them anew, block it from the start.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _client(session: Session) -> Iterator[Any]:
    dask: Any = importlib.import_module("dask")
    distributed: Any = importlib.import_module("distributed")
    # An interruption ends the work of both, which both would report.
    for chatty in ("distributed", "tornado"):
        logging.getLogger(chatty).setLevel(logging.CRITICAL)
    settings = {
        "distributed.scheduler.allowed-failures": REPEATS - 1,
        "distributed.worker.daemon": False,
        "distributed.admin.tick.limit": "1h",
        # Workers set up their logging when they start, before they receive these settings.
        "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
    }
    with dask.config.set(settings):
        if session.scheduler:
            try:
                client = distributed.Client(session.scheduler, timeout=CONNECT_S)
            except (OSError, TimeoutError, ValueError) as error:
                first = str(error).splitlines()[0]
                raise UserError(
                    f"no Dask scheduler answers at {session.scheduler} ({first}): start one "
                    "with `dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`"
                ) from None
            with client:
                if not client.scheduler_info()["workers"]:
                    raise UserError(
                        f"{session.scheduler} has no workers: start one with `dask worker ADDRESS`"
                    )
                yield client
            return
        with contextlib.ExitStack() as opened:
            with _deaf_to_interrupts():
                cluster = opened.enter_context(
                    distributed.LocalCluster(
                        n_workers=min(session.workers, len(session.jobs)),
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",
                        memory_limit=0,
                        host="127.0.0.1",
                    )
                )
                client = opened.enter_context(distributed.Client(cluster))
            yield client


def results(session: Session, jobs: Sequence[Job], tick: Callable[[], None]) -> Iterator[RunResult]:
    """The results in the order of their ends."""
    distributed: Any = importlib.import_module("distributed")
    with _client(session) as client:
        suspects: list[Job] = []
        for result in _round(client, distributed, session, jobs, tick):
            if result.status is RunStatus.LOST:
                suspects.append(result.job)
            else:
                yield result
        # If a worker dies, the scheduler blames all jobs that waited there. Run one at a time, they
        # show which one kills.
        for job in suspects:
            yield from _round(client, distributed, session, [job], tick)


def _round(
    client: Any, distributed: Any, session: Session, jobs: Sequence[Job], tick: Callable[[], None]
) -> Iterator[RunResult]:
    futures = {
        client.submit(
            work.elsewhere,
            job,
            session.description,
            key=f"{job.id}-{uuid.uuid4().hex}",
            pure=False,
            retries=0,
        ): job
        for job in jobs
    }
    pending = set(futures)
    try:
        while pending:
            tick()
            with contextlib.suppress(TimeoutError):
                distributed.wait(pending, timeout=POLL_S, return_when="FIRST_COMPLETED")
            for future in [each for each in pending if each.done()]:
                # A worker may die with a result that was not fetched yet; then the run is repeated,
                # and nothing may wait for it alone here.
                with contextlib.suppress(TimeoutError):
                    result = _result(futures[future], future)
                    pending.remove(future)
                    yield result
    finally:
        client.cancel(list(pending), force=True)


def _result(job: Job, future: Any) -> RunResult:
    if future.status == "finished":
        result: RunResult = future.result(timeout=FETCH_S)
        return result
    error = future.exception() if future.status == "error" else None
    first = str(error or future.status).splitlines()[0]
    reason = f"each worker that ran it died: {first}; --resume repeats it"
    return failed(job, RunStatus.LOST, reason)
