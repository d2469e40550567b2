/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of the contract in which counting stops, because a back end's work there is its
 * own. Not among them: functions whose work grows with their arguments (stacks, copies). Read by
 * sections.S, and by meson for the linker's --wrap.
 */
WRAP(hal_context_switch)
WRAP(hal_cpu_follow)
WRAP(hal_enter)
WRAP(hal_gravity)
WRAP(hal_idle)
WRAP(hal_kick)
WRAP(hal_leave)
WRAP(hal_linux_wait)
WRAP(hal_linux_wake)
WRAP(hal_now_ns)
WRAP(hal_print)
WRAP(hal_relax_processor)
WRAP(hal_shadow_create)
WRAP(hal_shadow_destroy)
WRAP(hal_shadow_park)
WRAP(hal_shadow_run)
WRAP(hal_shadow_set_priority)
WRAP(hal_shadow_signal)
WRAP(hal_shot)
WRAP(hal_spin_until)
WRAP(hal_ticks)
WRAP(hal_waiting)
