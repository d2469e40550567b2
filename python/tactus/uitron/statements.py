# SPDX-License-Identifier: LGPL-2.1-or-later
"""The statements of the static API of µITRON 4.0, and the calls that serve them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A statement that makes or defines something."""

    call: str  # the service call
    packet: str  # the type of the packet, its last parameter
    numbers: str  # whose IDs its first parameter is: "tsk"; "": it is no ID; "-": there is none


def _created(name: str) -> Kind:
    return Kind(f"cre_{name}", f"T_C{name.upper()}", name)


KINDS: Mapping[str, Kind] = {
    **{
        f"CRE_{name.upper()}": _created(name)
        for name in (
            *("tsk", "sem", "flg", "dtq", "mbx", "mtx", "mbf", "por"),
            *("mpf", "mpl", "cyc", "alm", "isr"),
        )
    },
    "DEF_TEX": Kind("def_tex", "T_DTEX", "tsk"),
    "DEF_OVR": Kind("def_ovr", "T_DOVR", "-"),
    "DEF_INH": Kind("def_inh", "T_DINH", ""),
    "DEF_SVC": Kind("def_svc", "T_DSVC", ""),
    "DEF_EXC": Kind("def_exc", "T_DEXC", ""),
    "ATT_ISR": Kind("acre_isr", "T_CISR", "-"),
    "ATT_INI": Kind("", "", "-"),
}
INCLUDE = "INCLUDE"

# Of kernels of vendors: memory and numbers that this implementation does not need to be told.
VENDORS = ("KERNEL_",)
