# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab verdict`: exit status 0 if all answers are yes, 1 if one is no, 3 if data are
missing."""

from __future__ import annotations

import argparse
import json
import textwrap

from tactus.lab.commands import _results
from tactus.lab.naming import LATENCY, sorted_rows
from tactus.lab.stats.verdict import Answer, Question, Verdict, judge, sentence
from tactus.measure.options import duration, number
from tactus.measure.units import prose_time
from tactus.project import Project, UserError

SUMMARY = "tell whether a deadline is met with a given probability: yes, no or not enough data"
WIDTH = 100
STATUS = {Answer.YES: 0, Answer.NO: 1, Answer.NOT_ENOUGH: 3}


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    _results.add_folders(parser)
    time = duration(1, 3600 * 10**9)
    add("--period", type=time, required=True, metavar="TIME", help="period of the task: 1ms, 250us")
    add(
        "--deadline",
        type=time,
        required=True,
        metavar="TIME",
        help="latest allowed start after a release",
    )
    add(
        "--probability",
        type=number(1e-15, 0.5, "a release"),
        default=1e-9,
        metavar="P",
        help="allowed probability of a miss per release (default 1e-9)",
    )
    add(
        "--confidence",
        type=number(0.5, 0.9999, ""),
        default=0.95,
        metavar="C",
        help="confidence of the answer (default 0.95)",
    )
    _results.add_choices(parser)
    add("--json", action="store_true", help="print the answers as JSON")


def run(args: argparse.Namespace, project: Project) -> int:
    del project
    if args.deadline > args.period:
        raise UserError(
            f"the deadline of {prose_time(args.deadline)} is longer than the period of "
            f"{prose_time(args.period)}, so the next release comes first: use a shorter deadline"
        )
    rows = [
        m
        for m in sorted_rows(_results.chosen(_results.read(args.results), args))
        if m.row.metric == LATENCY
    ]
    periods = sorted({m.row.period_ns for m in rows if m.row.period_ns})
    rows = [m for m in rows if m.row.period_ns == args.period and m.series is not None]
    if not rows:
        there = ", ".join(map(prose_time, periods)) or "none"
        raise UserError(
            f"no latency was measured at a period of {prose_time(args.period)} (periods measured: "
            f"{there}): measure with it first"
        )
    question = Question(args.period, args.deadline, args.probability, args.confidence)
    verdicts = [judge(m.row, m.series, question) for m in rows if m.series is not None]
    if args.json:
        print(json.dumps([_json(verdict) for verdict in verdicts], ensure_ascii=False))
    else:
        for verdict in verdicts:
            print(textwrap.fill(sentence(verdict), WIDTH, subsequent_indent="    "))
    answers = {verdict.answer for verdict in verdicts}
    worst = next(a for a in (Answer.NO, Answer.NOT_ENOUGH, Answer.YES) if a in answers)
    return STATUS[worst]


def _json(verdict: Verdict) -> dict[str, object]:
    row, level = verdict.row, verdict.estimate.level
    names = ("target", "kernel", "cpus", "load", "instrument", "core", "context", "clock")
    return {
        **{name: getattr(row, name) for name in names},
        "answer": verdict.answer,
        "why": verdict.why,
        "samples": verdict.estimate.samples,
        "misses": verdict.misses,
        "needed_samples": verdict.needed,
        "level_ns": None if level is None else [level.low_ns, level.value_ns, level.high_ns],
        "refusal": verdict.estimate.refusal,
    }
