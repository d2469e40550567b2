/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shots by a POSIX timer whose signal goes to the dispatcher. */
#define _GNU_SOURCE
#include "thread.h"

#include "call.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Context: the dispatcher. */
int thread_posix_open(struct thread_port *port)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = thread_program.signal};

	event.sigev_notify_thread_id = (int)port->tid;
	return (int)call3(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&port->timer);
}

void thread_posix_close(struct thread_port *port)
{
	call3(SYS_timer_delete, port->timer, 0, 0);
}

void thread_posix_arm(struct thread_port *port, uint64_t instant_ns)
{
	struct itimerspec shot = {{0, 0}, {0, 0}}; /* all zero disarms */

	if (instant_ns <= INT64_MAX)
		shot.it_value = call_timespec(instant_ns);
	hal_arch_syscall(SYS_timer_settime, port->timer, TIMER_ABSTIME, (long)&shot, 0, 0, 0);
}
