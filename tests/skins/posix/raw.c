/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that make system calls themselves: by syscall(), and by their own instruction. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define RESET_ON_FORK   0x01u
#define KEEP_POLICY     0x08u
#define KEEP_PARAMETERS 0x10u

static int word;

static void *waits(void *argument)
{
	long (*const by_syscall)(long, ...) = syscall;

	while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE))
		if (argument)
			call_linux(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, 0);
		else
			by_syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return argument;
}

static void wake(pthread_t thread, int own)
{
	usleep(10000);
	__atomic_store_n(&word, 1, __ATOMIC_RELEASE);
	if (own)
		call_linux(SYS_futex, (long)&word, FUTEX_WAKE_PRIVATE, 1, 0);
	else
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	SHOW(joined(thread) != NULL);
	word = 0;
}

/* Its results for kept values are ignored. */
static void keep(uint64_t flags, uint32_t priority)
{
	struct attributes given = {
		.size = sizeof(given), .policy = SCHED_OTHER, .flags = flags, .priority = priority};
	struct attributes told = {0};

	if (!(flags & KEEP_POLICY))
		given.policy = SCHED_FIFO;
	SHOW(syscall(SYS_sched_setattr, 0, &given, 0));
	SHOW(is_task_if_expected());
	SHOW(syscall(SYS_sched_getattr, 0, &told, sizeof(told), 0));
	SHOW(told.policy);
	SHOW(told.priority);
}

static void *run(void *argument)
{
	struct attributes given = {.size = sizeof(given), .policy = SCHED_RR, .priority = 22};
	struct attributes told = {0};
	struct timespec moment = {.tv_nsec = 1000000};
	struct timespec wrong = {.tv_nsec = -1};
	uint64_t begin = now_ns(CLOCK_MONOTONIC);

	(void)argument;
	SHOW(is_no_task());
	SHOW(syscall(SYS_sched_setattr, 0, &given, 0));
	SHOW(is_task_if_expected());
	SHOW(sched_getscheduler(0));
	SHOW(syscall(SYS_sched_getattr, 0, &told, sizeof(told), 0));
	SHOW(told.policy);
	SHOW(told.priority);
	keep(KEEP_POLICY | KEEP_PARAMETERS, 0);
	keep(KEEP_POLICY, 23);
	keep(KEEP_PARAMETERS, 0);
	SHOW(syscall(SYS_gettid) == gettid());
	SHOW(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, NULL));
	SHOW(syscall(SYS_nanosleep, &moment, NULL));
	SHOW(call_linux(SYS_nanosleep, (long)&moment, 0, 0, 0));
	SHOW(now_ns(CLOCK_MONOTONIC) - begin >= 3000000);
	SHOW(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &wrong, NULL));
	SHOW(errno);
	SHOW(syscall(SYS_getpid) == getpid());
	SHOW(call_linux(SYS_getpid, 0, 0, 0, 0) == getpid());
	wake(fifo_thread(60, waits, NULL), 0);
	wake(fifo_thread(60, waits, &word), 0);
	wake(other_thread(waits, NULL), 1);
	wake(other_thread(waits, &word), 1);
	SHOW(is_task_if_expected());
	given.flags = RESET_ON_FORK;
	SHOW(syscall(SYS_sched_setattr, 0, &given, 0));
	SHOW(syscall(SYS_sched_getattr, 0, &told, sizeof(told), 0));
	SHOW(told.flags);
	given.policy = SCHED_OTHER;
	given.priority = 0;
	SHOW(syscall(SYS_sched_setattr, 0, &given, 0));
	SHOW(is_no_task());
	given.policy = 99;
	SHOW(syscall(SYS_sched_setattr, 0, &given, 0));
	SHOW(errno);
	wake(fifo_thread(60, waits, NULL), 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	joined(thread);
	return 0;
}
