# SPDX-License-Identifier: LGPL-2.1-or-later
"""The names that version 1 of the native API changed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tactus.convert.tokens import Source

# Each as it begins: functions, types and constants.
BEGINNINGS: Mapping[str, str] = {
    "tact_alarm": "tact_timer",
    "TACT_ALARM": "TACT_TIMER",
    "tact_exchange": "tact_zqueue",
    "TACT_EXCHANGE": "TACT_ZQUEUE",
}
NAMES: Mapping[str, str] = {
    "tact_handle_t": "tact_object_t",
    "tact_bell": "tact_doorbell",
    "tact_bell_attach": "tact_doorbell_attach",
    "tact_bell_detach": "tact_doorbell_detach",
    "tact_bell_ring": "tact_doorbell_ring",
    "tact_task_adopt": "tact_task_attach",
    "tact_task_let_go": "tact_task_detach",
    "TACT_TASK_DETACHED": "TACT_TASK_NO_JOIN",
    "TACT_DEVICE_LINES": "TACT_DEVICE_IRQ_LINES",
    "TACT_DEVICE_NAME": "TACT_DEVICE_ADDRESS_BYTES",
    "TACT_PRIO_MIN": "TACT_PRIORITY_MIN",
    "TACT_PRIO_MAX": "TACT_PRIORITY_MAX",
}
HEADERS: Mapping[str, str] = {
    "tactus/alarm.h": "tactus/timer.h",
    "tactus/exchange.h": "tactus/zqueue.h",
}
# Members: of which structure, the former name, the name.
MEMBERS: tuple[tuple[str, str, str], ...] = (
    ("tact_config", "crowd_ms", "hog_timeout_ms"),
    ("tact_port_message", "flow", "request"),
    ("tact_timer_expiry", "alarm", "timer"),
    ("tact_device_info", "lines", "irq_lines"),
    ("tact_interrupt_info", "line", "irq_line"),
)
# In strings that hold nothing else.
VARIABLES: Mapping[str, str] = {
    "TACTUS_RUN_CROWD_MS": "TACTUS_RUN_HOG_TIMEOUT_MS",
    "TACTUS_RUN_MAKE_ROOM": "TACTUS_RUN_REBALANCE",
}
# What <tactus/tact.h> does not declare any more.
OF_SKINS = frozenset(
    {
        "tact_exit_as_killed",
        "tact_exits_as_killed",
        "tact_fault_action",
        "tact_on_handlers",
        "tact_on_stop",
        "tact_on_switch",
        "tact_sem_wait_while",
        "tact_task_signal_mask",
    }
)
SKIN_INCLUDE = "#include <tactus/skin.h>"

_INCLUDE = re.compile(r"\s*#\s*include\b")
_BEGINNING = re.compile(rf"({'|'.join(BEGINNINGS)})(?=_)")
_WORD_OR_REST = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|(?P<word>[A-Za-z_]\w*)', re.DOTALL
)


def renamed(word: str) -> str:
    return NAMES.get(word) or _BEGINNING.sub(lambda found: BEGINNINGS[found[0]], word, count=1)


def _directive(text: str) -> str:
    for former, name in HEADERS.items():
        text = text.replace(f"<{former}>", f"<{name}>").replace(f'"{former}"', f'"{name}"')

    def word(found: re.Match[str]) -> str:
        return (
            renamed(found[0])
            if found["word"] and found[0].startswith(("tact", "TACT"))
            else found[0]
        )

    return text if "include" in text.split("\n")[0] else _WORD_OR_REST.sub(word, text)


def rename(source: Source) -> str:
    for token in source.every:
        if token.kind == "word" and token.text.startswith(("tact_", "TACT_")):
            token.text = renamed(token.text)
        elif token.kind == "directive":
            token.text = _directive(token.text)
        elif token.kind == "string" and token.text[1:-1] in VARIABLES:
            token.text = f'"{VARIABLES[token.text[1:-1]]}"'
    return source.result()


def include_skin(source: Source) -> str:
    """Behind the last header of Tactus, or else behind the last header, if the file uses what skins
    use."""
    includes = [t for t in source.every if t.kind == "directive" and _INCLUDE.match(t.text)]
    ours = [t for t in includes if "<tactus/" in t.text] or includes
    used = any(t.text in OF_SKINS for t in source.code)
    if used and ours and not any("tactus/skin.h" in t.text for t in ours):
        ours[-1].after = f"\n{SKIN_INCLUDE}"
    return source.result()
