/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The means of shots, opened by the dispatcher before it serves. */
#include "calibrate.h"
#include "options.h"
#include "program.h"
#include "shot.h"
#include "thread.h"

/*
 * Open the configured means. The timer is opened in any case, because kicks fall back on it.
 * choose: the first CPU tries the means in order, and decides for all. On PREEMPT_RT, timer signals
 * do not preempt a computing thread (they expire in a softirq, which waits for the computing
 * thread), but a helper thread does. On other kernels the timer is cheaper.
 */
int thread_shot_open(struct thread_port *port, bool choose)
{
	uint32_t delay_ns = 0;
	int error = thread_posix_open(port);

	if (error)
		return error;
	if (choose && thread_program.shot == LINUX_SHOT_AUTO) {
		thread_program.shot = LINUX_SHOT_POSIX;
		if (!thread_calibrate_shot(port, &delay_ns))
			thread_program.shot = LINUX_SHOT_HELPER;
	}
	if (thread_program.shot == LINUX_SHOT_HELPER || linux_program.may_follow) {
		error = thread_helper_open(port);
		if (error)
			return error;
	}
	if (choose && !delay_ns)
		(void)thread_calibrate_shot(port, &delay_ns);
	if (choose)
		thread_program.event_cost_ns = thread_calibrate_event(port);
	if (choose && port->common.gravity.preempt_ns == HAL_GRAVITY_UNSET)
		port->common.gravity.preempt_ns = delay_ns;
	return 0;
}

void thread_shot_close(struct thread_port *port)
{
	thread_helper_close(port);
	thread_posix_close(port);
}
