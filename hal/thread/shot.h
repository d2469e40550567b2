/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shot of a real-time CPU: by a POSIX timer (shot_posix.c) or by a helper (shot_helper.c). */
#ifndef THREAD_SHOT_H
#define THREAD_SHOT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct thread_port;

/* Arm for the instant, which replaces what was armed. */
int thread_posix_open(struct thread_port *port);
void thread_posix_close(struct thread_port *port);
void thread_posix_arm(struct thread_port *port, uint64_t instant_ns);
void thread_posix_kick(struct thread_port *port); /* at once, by a place that is reserved */
void thread_helper_arm(struct thread_port *port, uint64_t instant_ns);
void thread_helper_call(struct thread_port *port); /* make it look for shots and kicks */
void thread_helper_settle(struct thread_port *port, uint64_t target_ns); /* before idling to it */
void thread_helper_move(struct thread_port *port, const cpu_set_t *cpus);

/* helper.c: the thread that serves them. */
int thread_helper_open(struct thread_port *port);
void thread_helper_close(struct thread_port *port);

/* shot_start.c. choose: the first CPU tries the means, and decides for all. 0 or -errno. */
int thread_shot_open(struct thread_port *port, bool choose);
void thread_shot_close(struct thread_port *port);
void thread_shot_disarm(struct thread_port *port);
/* Arm for the instant, unless something earlier is armed. */
void thread_shot_at_latest(struct thread_port *port, uint64_t instant_ns);
/* The CPU will be idle until target_ns: arm what will probably be requested after it. */
void thread_shot_predict(struct thread_port *port, uint64_t target_ns);

#endif
