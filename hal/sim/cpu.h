/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Simulated real-time CPUs. */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include "state.h"

/* Deliver the events whose time has come, if the caller is on a CPU that is not stalled. */
void sim_cpu_deliver(void);
/* A scheduling point of the CPU's code, where events may arrive. */
void sim_cpu_point(enum sim_point point);
/* Stall the CPU that runs the caller; NULL when it is none. No time passes. */
struct sim_cpu *sim_cpu_stall(void);
/* The end of an upcall: the CPU or shadow that runs the caller now is no longer stalled. */
void sim_cpu_unstall(void);

#endif
