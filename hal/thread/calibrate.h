/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Delivery delays, as a dispatcher measures them before it serves. */
#ifndef THREAD_CALIBRATE_H
#define THREAD_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

struct thread_port;

/* The bounds of an idle CPU's lead, measured or learned. */
#define THREAD_LEAD_LEAST_NS 1000u
#define THREAD_LEAD_MOST_NS  200000u

/* How late a shot comes. False: none came. */
bool thread_calibrate_shot(struct thread_port *port, uint32_t *delay_ns);
/* What a shot costs a computing task. */
uint32_t thread_calibrate_event(struct thread_port *port);
uint32_t thread_calibrate_idle(void);

#endif
