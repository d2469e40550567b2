/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How long calls hold the stall bit of a CPU in the worst state: thousands of waiters, of armed
 * timers, of objects with names, of resources that are held. Each kind of object is a case; the
 * last case judges what all of them have counted.
 */
#ifndef TESTS_WALK_H
#define TESTS_WALK_H

#include "sections.h"
#include "test.h"

#define WAITERS     5000u
#define WALK_CHAIN  250u  /* owners, each waiting for the next */
#define WALK_CROWDS 3u    /* that all waiters are in */
#define WALK_TASKS  300u  /* of one group, partition, or server */
#define WALK_SERVED 100u  /* by one server at once */
#define WALK_MANY   1000u /* of what else is not cut up */

/* So many light tasks, of all priorities below the body's, have run until they wait. */
void walk_spawn(void (*entry)(void *), uint32_t count);

/* Work that a call has begun continues under its name until it is finished. */
void walk_let_end(void);

/* Run a case's body in a task of the first CPU, the most urgent one, and stop. Of another CPU
 * nothing may happen in the midst of a section that is counted. */
void walk_run(void (*body)(void *), uint32_t cpus);
void walk_run_hogged(void (*body)(void *), uint32_t cpus, uint32_t hog_timeout_ms);

/* The body is called by the thread that starts and stops. */
void walk_run_in_linux(void (*body)(void));

/* From here on, so many first sections are counted in this case, if no fewer are wanted of all
 * names. */
void walk_limit(uint32_t first);

/* The stop at the end of this case is counted: for the case that leaves most to it. */
void walk_count_stop(void);

/* The case fails when the call gives anything but this error; 0: when it gives one. A call that is
 * refused at once is walked in name only. */
void walk_expect(const char *what, int64_t result, int error);

#define COUNT_ERROR(what, error, call)            \
	do {                                      \
		int64_t walked;                   \
                                                  \
		sections_count(what);             \
		walked = (call);                  \
		walk_let_end();                   \
		walk_expect(what, walked, error); \
	} while (0)

#define COUNT(what, call) COUNT_ERROR(what, 0, call)

/* One that cannot fail. */
#define COUNT_VALUE(what, call)       \
	do {                          \
		sections_count(what); \
		(void)(call);         \
		walk_let_end();       \
	} while (0)

/* The same in a thread of Linux's, by walk_run_in_linux(). */
#define COUNT_HERE(what, error, call)             \
	do {                                      \
		int64_t walked;                   \
                                                  \
		sections_count(what);             \
		walked = (call);                  \
		settle();                         \
		sections_count(NULL);             \
		walk_expect(what, walked, error); \
	} while (0)

#define WALK_CPUS(cpus, name)                      \
	TEST_UNSTARTED(longest_sections_of_##name) \
	{                                          \
		walk_run(name, cpus);              \
	}
#define WALK(name) WALK_CPUS(1, name)

#endif
