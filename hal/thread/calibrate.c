/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the machine does by itself, found out on a dispatcher before it serves: whether a timer
 * preempts a computing loop and how late, and how late a timed sleep returns. Both together take
 * less than 20 ms where they work.
 */

#include "calibrate.h"

#include <stdlib.h>

#include "arch/self.h"
#include "call.h"
#include "options.h"
#include "shot.h"
#include "thread.h"

#define SHOTS         11u
#define SHOT_AHEAD_NS 150000u
#define SHOT_LOST_NS  5000000u
#define SLEEPS        16u
#define SLEEP_NS      400000u

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * A third of the interruptions takes no longer than this: a machine that is busy by itself while
 * this looks makes the others later, and what is anticipated too much is taken from those who
 * compute.
 *
 * The handler takes armed_ns back; the stall bit keeps it from calling the nucleus.
 */
bool thread_calibrate_shot(struct thread_port *port, uint32_t *delay_ns)
{
	uint64_t delays_ns[SHOTS];

	for (unsigned i = 0; i < SHOTS; i++) {
		uint64_t instant_ns = hal_now_ns() + SHOT_AHEAD_NS;
		uint64_t now_ns;

		atomic_store(&port->common.armed_ns, instant_ns);
		if (thread_program.shot == LINUX_SHOT_HELPER)
			thread_helper_arm(port, instant_ns);
		else
			thread_posix_arm(port, instant_ns);
		do {
			now_ns = hal_now_ns();
		} while (!*(volatile uint32_t *)&port->common.cpu->self.pending &&
			 now_ns < instant_ns + SHOT_LOST_NS);
		if (!port->common.cpu->self.pending) {
			atomic_store(&port->common.armed_ns, HAL_NO_DEADLINE);
			return false;
		}
		port->common.cpu->self.pending = 0;
		/* The reading above may be from before the interruption. */
		now_ns = hal_now_ns();
		delays_ns[i] = now_ns > instant_ns ? now_ns - instant_ns : 0;
	}
	qsort(delays_ns, SHOTS, sizeof(delays_ns[0]), compare);
	*delay_ns = (uint32_t)(delays_ns[SHOTS / 3] < THREAD_LEAD_MOST_NS ? delays_ns[SHOTS / 3]
									  : THREAD_LEAD_MOST_NS);
	return true;
}

/* The lead that most wake-ups need: nine of ten, and a quarter more. */
uint32_t thread_calibrate_idle(void)
{
	uint64_t delays_ns[SLEEPS];
	_Atomic uint32_t word = 0;
	uint64_t lead_ns;

	for (unsigned i = 0; i < SLEEPS; i++) {
		uint64_t instant_ns = hal_now_ns() + SLEEP_NS;
		struct timespec until = call_timespec(instant_ns);

		call_futex_wait(&word, 0, &until);
		delays_ns[i] = hal_now_ns() - instant_ns;
	}
	qsort(delays_ns, SLEEPS, sizeof(delays_ns[0]), compare);
	lead_ns = delays_ns[SLEEPS * 9 / 10];
	lead_ns += lead_ns / 4;
	if (lead_ns < THREAD_LEAD_LEAST_NS)
		lead_ns = THREAD_LEAD_LEAST_NS;
	return (uint32_t)(lead_ns < THREAD_LEAD_MOST_NS ? lead_ns : THREAD_LEAD_MOST_NS);
}
