/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a simulation that cannot go on. */
#ifndef SIM_PANIC_H
#define SIM_PANIC_H

void sim_panicf(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
