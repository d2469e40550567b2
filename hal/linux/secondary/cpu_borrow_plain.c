/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads without a task that Linux does not get to run. The thread that starts the real-time CPUs
 * leaves them. The threads that it makes later inherit this, and a thread that becomes a task
 * leaves them before it has a shadow. A more urgent thread of another program may keep the CPUs
 * that are left, as in cpu_borrow.c, which checks shadows alone. So each round checks one thread of
 * the program. If the thread was ready and did not run, it may use the real-time CPUs, too, for a
 * while.
 */
#define _GNU_SOURCE

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "secondary/cpu_borrow.h"
#include "task_file.h"

#define STILL_ROUNDS 2u
#define GUESTS       16u /* more are let in when these have left */

struct guest {
	uint32_t tid; /* 0: none */
	uint32_t rounds;
};

static struct guest guests[GUESTS];

/* The thread that is being checked, and how long it had run by the round before. */
static struct {
	uint32_t tid; /* 0: none */
	uint32_t rounds;
	unsigned long long ran_ns;
} looked;

/* Linux's position in the list of threads, behind the thread that was checked last. */
static off_t behind;

/* The next thread of the list; 0 at its end. */
static uint32_t next_thread(void)
{
	int tasks = linux_tasks_open();
	uint32_t tid;

	if (tasks < 0)
		return 0;
	tid = linux_tasks_next(tasks, &behind);
	close(tasks);
	if (!tid)
		behind = 0;
	return tid;
}

static void look_at_next(void)
{
	unsigned long long waited_ns;

	looked.rounds = 0;
	looked.tid = next_thread();
	if (looked.tid && !linux_task_times(looked.tid, &looked.ran_ns, &waited_ns))
		looked.tid = 0;
}

static bool was_still(void)
{
	unsigned long long ran_ns, waited_ns;

	return looked.tid && linux_task_times(looked.tid, &ran_ns, &waited_ns) &&
	       ran_ns == looked.ran_ns && linux_task_is_ready(looked.tid);
}

static void let_in(uint32_t tid)
{
	for (unsigned i = 0; i < GUESTS; i++)
		if (!guests[i].tid) {
			if (cpu_borrow_begin(tid))
				guests[i] = (struct guest){tid, CPU_BORROW_ROUNDS};
			return;
		}
}

void cpu_borrow_plain_round(void)
{
	for (unsigned i = 0; i < GUESTS; i++)
		if (guests[i].tid && !--guests[i].rounds) {
			cpu_borrow_end(guests[i].tid);
			guests[i].tid = 0;
		}
	if (!was_still()) {
		look_at_next();
	} else if (++looked.rounds == STILL_ROUNDS) {
		let_in(looked.tid);
		look_at_next();
	}
}
