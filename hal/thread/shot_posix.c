/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shots by a POSIX timer whose signal goes to the dispatcher, and kicks if no signal can be queued.
 * Shots and kicks have a timer each: setting a timer takes back the signal that it has sent (from
 * Linux 6.13), so that arming a shot at that moment would cost a kick.
 */
#define _GNU_SOURCE
#include "arch/self.h"
#include "call.h"
#include "shot.h"
#include "thread.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static int make(const struct thread_port *port, int *timer)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = THREAD_SIGNAL_EVENT};

	event.sigev_notify_thread_id = (int)port->common.tid;
	return (int)call3(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)timer);
}

static void set(int timer, uint64_t instant_ns)
{
	struct itimerspec shot = {{0, 0}, {0, 0}}; /* all zero disarms */

	if (instant_ns <= INT64_MAX)
		shot.it_value = call_timespec(instant_ns);
	hal_arch_syscall(SYS_timer_settime, timer, TIMER_ABSTIME, (long)&shot, 0, 0, 0);
}

/* Context: the dispatcher. */
int thread_posix_open(struct thread_port *port)
{
	int error = make(port, &port->timer);

	return error ? error : make(port, &port->kick_timer);
}

void thread_posix_close(struct thread_port *port)
{
	call3(SYS_timer_delete, port->timer, 0, 0);
	call3(SYS_timer_delete, port->kick_timer, 0, 0);
}

void thread_posix_arm(struct thread_port *port, uint64_t instant_ns)
{
	set(port->timer, instant_ns);
}

void thread_posix_kick(struct thread_port *port)
{
	set(port->kick_timer, 1);
}
