/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the programs of this folder share: calls that must fail, each with one certain code. A line
 * of the output says "who: function CODE", which ../errors.py collects. A call that does not fail
 * so is a mistake, and determines the program's status.
 */
#ifndef POSIX_ERRORS_H
#define POSIX_ERRORS_H

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define NOBODY 65534

#define FAR_S 1000 /* while nothing ends the wait */

static const char *errors_who = "";
static int errors_wrong;
static void (*errors_cases)(void);
static void *errors_nowhere;

static inline void errors_tell(const char *call, const char *name, long code, long error)
{
	const int length = (int)strcspn(call, "(");

	if (error == code) {
		printf("%s: %.*s %s\n", errors_who, length, call, name);
	} else {
		errors_wrong++;
		printf("%s: WRONG %s: %ld (%s), not %s\n", errors_who, call, error,
		       strerror((int)error), name);
	}
	fflush(stdout);
}

static inline long errors_of(bool failed)
{
	return failed ? errno : 0;
}

/* By the way in which the call reports: by errno and -1, by errno and NULL, by its result. */
#define FAILS(code, call) \
	errors_tell(#call, #code, code, (errno = 0, errors_of((long)(call) == -1)))
#define IS_NULL(code, call) errors_tell(#call, #code, code, (errno = 0, errors_of(!(call))))
#define RETURNS(code, call) errors_tell(#call, #code, code, call)
/* For macros, which pass a code as its number. */
#define FAILS_CODE(name, code, call) \
	errors_tell(#call, name, code, (errno = 0, errors_of((long)(call) == -1)))
#define RETURNS_CODE(name, code, call) errors_tell(#call, name, code, call)
/* A function that a program names otherwise. */
#define FAILS_AS(function, code, call) \
	errors_tell(function, #code, code, (errno = 0, errors_of((long)(call) == -1)))
#define RETURNS_AS(function, code, call) errors_tell(function, #code, code, call)

/* A precondition of a case, and no case itself. */
static inline void errors_need(const char *what, bool is)
{
	if (is)
		return;
	errors_wrong++;
	printf("%s: WRONG %s (%s)\n", errors_who, what, strerror(errno));
	fflush(stdout);
}

#define NEED(condition) errors_need(#condition, condition)

/* An invalid address; volatile, because compilers would warn. */
static inline void *nowhere(void)
{
	return errors_nowhere;
}

static inline struct timespec errors_far(clockid_t clock)
{
	struct timespec then = later(clock, 0);

	then.tv_sec += FAR_S;
	return then;
}

static inline bool is_fifo(void)
{
	return sched_getscheduler(0) == SCHED_FIFO;
}

/* Sets the soft limit; returns the former one. */
static inline rlim_t limit(int resource, rlim_t most)
{
	struct rlimit now;
	rlim_t former;

	NEED(!getrlimit((__rlimit_resource_t)resource, &now));
	former = now.rlim_cur;
	now.rlim_cur = most < now.rlim_max ? most : now.rlim_max;
	NEED(!setrlimit((__rlimit_resource_t)resource, &now));
	return former;
}

/* While there are no more of them. */
#define WITHOUT(resource, check)                                 \
	do {                                                     \
		const rlim_t errors_former = limit(resource, 0); \
		check;                                           \
		(void)limit(resource, errors_former);            \
	} while (0)

/* Takes all memory that malloc() can give. Returns the argument for give_all(). */
static inline void *take_all(void)
{
	void **chain = NULL, **next;

	for (size_t bytes = 1u << 20; bytes > 1024; bytes /= 2)
		while ((next = malloc(bytes))) {
			*next = chain;
			chain = next;
		}
	for (size_t bytes = 1024; bytes >= 16; bytes -= 8)
		while ((next = malloc(bytes))) {
			*next = chain;
			chain = next;
		}
	return chain;
}

static inline void give_all(void *chain)
{
	while (chain) {
		void *next = *(void **)chain;

		free(chain);
		chain = next;
	}
}

#define WITHOUT_MEMORY(check)                                     \
	do {                                                      \
		const rlim_t errors_former = limit(RLIMIT_AS, 0); \
		void *const errors_taken = take_all();            \
		check;                                            \
		give_all(errors_taken);                           \
		(void)limit(RLIMIT_AS, errors_former);            \
	} while (0)

/*
 * The calling thread alone, while it has no rights: the C library's functions would change all
 * threads.
 * A user without rights is nobody anyway.
 */
#define AS_NOBODY(check)                                                          \
	do {                                                                      \
		const bool errors_root = !geteuid();                              \
		NEED(!errors_root || !syscall(SYS_setresuid, NOBODY, NOBODY, 0)); \
		check;                                                            \
		NEED(!errors_root || !syscall(SYS_setresuid, 0, 0, 0));           \
	} while (0)

/* In a separate child, so that nothing that it does to itself stays. */
#define IN_CHILD(check)                                                                           \
	do {                                                                                      \
		const pid_t errors_child = fork();                                                \
		int errors_status = -1;                                                           \
		if (!errors_child) {                                                              \
			errors_wrong = 0;                                                         \
			check;                                                                    \
			_exit(!!errors_wrong);                                                    \
		}                                                                                 \
		NEED(waitpid(errors_child, &errors_status, 0) == errors_child && !errors_status); \
	} while (0)

static struct {
	pthread_t target, thread;
	atomic_bool over;
} errors_pest;

/* Repeatedly, because the first one may come before the call waits. */
static inline void *errors_interrupt(void *argument)
{
	while (!atomic_load(&errors_pest.over)) {
		pthread_kill(errors_pest.target, SIGUSR1);
		usleep(2000);
	}
	return argument;
}

static inline void errors_handle(int signal)
{
	(void)signal;
}

static inline void errors_bother(void)
{
	struct sigaction action = {.sa_handler = errors_handle};

	sigaction(SIGUSR1, &action, NULL);
	errors_pest.target = pthread_self();
	atomic_store(&errors_pest.over, false);
	errors_pest.thread = other_thread(errors_interrupt, NULL);
}

static inline void errors_leave_alone(void)
{
	atomic_store(&errors_pest.over, true);
	joined(errors_pest.thread);
}

/* While handlers interrupt the caller. */
#define INTERRUPTED(check) (errors_bother(), check, errors_leave_alone())

static inline void *errors_run(void *is_task)
{
	NEED(is_task ? is_task_if_expected() : is_no_task());
	errors_cases();
	NEED(is_task ? is_task_if_expected() : is_no_task());
	return NULL;
}

/* By a thread before there are tasks, by a task, and by a thread after there were some. */
static inline int from_every_thread(void (*cases)(void))
{
	errors_cases = cases;
	errors_nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	errors_who = "before";
	joined(other_thread(errors_run, NULL));
	errors_who = "task";
	joined(fifo_thread(50, errors_run, &errors_wrong));
	errors_who = "thread";
	joined(other_thread(errors_run, NULL));
	return errors_wrong ? 1 : 0;
}

#endif
