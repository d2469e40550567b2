/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Measurements of the machine, made on a dispatcher before it serves: whether a timer preempts a
 * computing loop, how late and at what cost, and how late a timed sleep returns. Together they take
 * less than 20 ms if timers work.
 */

#include "calibrate.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "arch/self.h"
#include "call.h"
#include "event.h"
#include "options.h"
#include "shot.h"
#include "thread.h"

#define SHOTS         11u
#define EVENTS        8u
#define CACHES_BYTES  (2u << 20)
#define SHOT_AHEAD_NS 150000u
#define SHOT_LOST_NS  5000000u
#define SLEEPS        16u
#define SLEEP_NS      400000u

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* When a computing loop was interrupted, and what it cost. */
struct interruption {
	uint64_t delay_ns; /* from the instant until the loop goes on */
	uint64_t cost_ns;  /* while it made no progress, including the arming */
};

static void arm(struct thread_port *port, uint64_t instant_ns)
{
	atomic_store(&port->common.armed_ns, instant_ns);
	if (thread_program.shot == LINUX_SHOT_HELPER)
		thread_helper_arm(port, instant_ns);
	else
		thread_posix_arm(port, instant_ns);
}

/*
 * A hypervisor may end its timers early and wait for the rest itself; then the loop stands still
 * before the instant already. So the cost begins with the last reading of the clock. It includes
 * the system calls of an event's handler.
 *
 * The handler resets armed_ns; the stall bit keeps it from calling the nucleus.
 */
static bool interrupt(struct thread_port *port, struct interruption *seen)
{
	volatile uint32_t *pending = &port->common.cpu->self.pending;
	uint64_t begin_ns = hal_now_ns();
	uint64_t instant_ns = begin_ns + SHOT_AHEAD_NS;
	uint64_t now_ns, last_ns, armed_ns;

	arm(port, instant_ns);
	armed_ns = now_ns = hal_now_ns();
	do {
		last_ns = now_ns;
		now_ns = hal_now_ns();
	} while (!*pending && now_ns < instant_ns + SHOT_LOST_NS);
	if (!*pending) {
		atomic_store(&port->common.armed_ns, HAL_NO_DEADLINE);
		return false;
	}
	*pending = 0;
	thread_events_unblock();
	/* The reading above may be from before the interruption. */
	now_ns = hal_now_ns();
	seen->delay_ns = now_ns > instant_ns ? now_ns - instant_ns : 0;
	seen->cost_ns = now_ns - last_ns + armed_ns - begin_ns;
	return true;
}

static uint32_t at_most(uint64_t found_ns)
{
	return (uint32_t)(found_ns < THREAD_LEAD_MOST_NS ? found_ns : THREAD_LEAD_MOST_NS);
}

/*
 * The delay that a third of the interruptions do not exceed. A machine that is busy during the
 * measurement makes the others later, and too much anticipation takes time from computing tasks.
 */
bool thread_calibrate_shot(struct thread_port *port, uint32_t *delay_ns)
{
	uint64_t delays_ns[SHOTS];

	for (unsigned i = 0; i < SHOTS; i++) {
		struct interruption seen;

		if (!interrupt(port, &seen))
			return false;
		delays_ns[i] = seen.delay_ns;
	}
	qsort(delays_ns, SHOTS, sizeof(delays_ns[0]), compare);
	*delay_ns = at_most(delays_ns[SHOTS / 3]);
	return true;
}

static void take_caches(volatile const uint8_t *memory)
{
	for (size_t at = 0; at < CACHES_BYTES; at += LINUX_CACHE_LINE)
		(void)memory[at];
}

/*
 * Between two events of a program its tasks compute, and others use the same caches. So an event
 * finds little of the kernel and the nucleus there, and costs two to three times as much as here, a
 * moment after the last one. So the caches are filled with something else before each event. Three
 * of four events cost no more than the value that is taken. It is doubled for what a program has in
 * addition: the nucleus's own path, several tasks, each with its stack, and what other processors
 * evict from a shared cache (measured: 20 µs found, 30 to 40 with five tasks that take turns).
 */
uint32_t thread_calibrate_event(struct thread_port *port)
{
	uint64_t costs_ns[EVENTS];
	void *memory = mmap(NULL, CACHES_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	unsigned count = 0;

	for (; count < EVENTS; count++) {
		struct interruption seen;

		if (memory != MAP_FAILED)
			take_caches(memory);
		if (!interrupt(port, &seen))
			break;
		costs_ns[count] = seen.cost_ns;
	}
	if (memory != MAP_FAILED)
		munmap(memory, CACHES_BYTES);
	if (count < EVENTS)
		return THREAD_LEAD_MOST_NS;
	qsort(costs_ns, EVENTS, sizeof(costs_ns[0]), compare);
	return at_most(costs_ns[EVENTS * 3 / 4] * 2);
}

/* The lead that most wake-ups need: enough for nine of ten, plus a quarter. */
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
	return at_most(lead_ns);
}
