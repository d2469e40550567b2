/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cases with several processes of one session. The case's own process does not start the real-time
 * half. It makes the other processes, which report their progress by marks on a shared page, and
 * ends them.
 */
#ifndef COBALT_PROCESSES_H
#define COBALT_PROCESSES_H

#include "cobalt_test.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* The memory that all processes of a test share; a test has its own part in `objects`. */
struct shared_page {
	_Atomic uint32_t marks[32];
	_Alignas(64) unsigned char objects[2048];
};
static struct shared_page *page;

static inline void reach(unsigned int mark)
{
	atomic_fetch_add(&page->marks[mark], 1);
}

static inline uint32_t reached(unsigned int mark)
{
	return atomic_load(&page->marks[mark]);
}

static inline void await_count(unsigned int mark, uint32_t count)
{
	for (int i = 0; i < 50000 && reached(mark) < count; i++)
		__STD(usleep)(1000);
	expect_true(reached(mark) >= count);
}
#define await(mark) await_count(mark, 1)

/* Begin a session for the case alone. */
static inline void session_begin(void)
{
	static unsigned int sessions;
	char label[32];

	if (!page)
		page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);
	expect_true(page != MAP_FAILED);
	memset(page, 0, sizeof(*page));
	snprintf(label, sizeof(label), "test-%d-%u", (int)getpid(), sessions++);
	expect_ok(setenv("TACTUS_SESSION", label, 1));
}

static inline pid_t process_begin(void (*body)(void))
{
	pid_t parent = getpid();
	pid_t process;

	fflush(stdout);
	process = fork();
	expect_true(process >= 0);
	if (process)
		return process;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	failures = 0;
	body();
	exit(failures != 0);
}

/* Wait until it has ended well. */
static inline void process_end(pid_t process)
{
	int status = 0;

	expect_eq(waitpid(process, &status, 0), process);
	expect_eq(status, 0);
}

static inline void process_kill(pid_t process)
{
	int status = 0;

	expect_ok(__STD(kill)(process, SIGKILL));
	expect_eq(waitpid(process, &status, 0), process);
}

/* Run `count` processes, one after the other, each killed at a random moment after it has reached
 * the mark, which only it reaches. */
static inline void kill_at_random(void (*body)(void), uint32_t count, unsigned int seed,
				  unsigned int mark)
{
	for (uint32_t i = 0; i < count; i++) {
		pid_t user = process_begin(body);

		await_count(mark, i + 1);
		__STD(usleep)((useconds_t)rand_r(&seed) % 10000);
		process_kill(user);
	}
}

/* A session of two: one runs beside the other, and both end well. */
static inline void owner_and_user(void (*owner)(void), void (*user)(void))
{
	pid_t first;

	session_begin();
	first = process_begin(owner);
	process_end(process_begin(user));
	process_end(first);
}

/* Use another process's object after its mark says that it exists, first in a task and then in a
 * thread without a real-time policy, and set the mark for this. */
static inline void use_when_made(void *(*body)(void *), unsigned int made, unsigned int done)
{
	await(made);
	in_task(body, NULL);
	(void)body(NULL);
	reach(done);
}

/* A session of two, whose owner is killed when the other process has reached the mark; the other
 * one ends well. */
static inline void outlive_owner(void (*owner)(void), void (*user)(void), unsigned int mark)
{
	pid_t first, other;

	session_begin();
	first = process_begin(owner);
	other = process_begin(user);
	await(mark);
	process_kill(first);
	process_end(other);
}

#endif
