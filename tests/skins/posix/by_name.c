/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sched_setattr() and sched_getattr() by their names, as programs call them that are built with
 * glibc 2.41 and later: their effect and results are those of all other calls. Under `tactus run`
 * they exist with every C library; without them, a plain run uses the calls of Linux.
 */
#include "check.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static int (*set_attributes)(pid_t, struct attributes *, unsigned);
static int (*get_attributes)(pid_t, struct attributes *, unsigned, unsigned);

static int set_by_number(pid_t tid, struct attributes *given, unsigned flags)
{
	return (int)syscall(SYS_sched_setattr, tid, given, flags);
}

static int get_by_number(pid_t tid, struct attributes *told, unsigned bytes, unsigned flags)
{
	return (int)syscall(SYS_sched_getattr, tid, told, bytes, flags);
}

static void find_names(void)
{
	*(void **)&set_attributes = dlsym(RTLD_DEFAULT, "sched_setattr");
	*(void **)&get_attributes = dlsym(RTLD_DEFAULT, "sched_getattr");
	SHOW(!expected_task() || (set_attributes && get_attributes));
	if (!set_attributes)
		set_attributes = set_by_number;
	if (!get_attributes)
		get_attributes = get_by_number;
}

/* 0 or the error number. */
static int set(pid_t tid, uint32_t policy, uint32_t priority)
{
	struct attributes given = {.size = sizeof(given), .policy = policy, .priority = priority};

	return set_attributes(tid, &given, 0) ? errno : 0;
}

static void show(pid_t tid)
{
	struct attributes told = {0};

	SHOW(get_attributes(tid, &told, sizeof(told), 0));
	SHOW(told.policy);
	SHOW(told.priority);
	SHOW(sched_getscheduler(tid));
}

static void set_own(void)
{
	struct attributes deadline = {.size = sizeof(deadline),
				      .policy = 6, /* SCHED_DEADLINE */
				      .runtime = 1000000,
				      .deadline = 100000000,
				      .period = 100000000};

	SHOW(set(0, SCHED_FIFO, 30));
	SHOW(is_task_if_expected());
	show(0);
	SHOW(set(gettid(), SCHED_RR, 31));
	SHOW(is_task_if_expected());
	show(gettid());
	SHOW(set_attributes(0, &deadline, 0));
	SHOW(is_task_if_expected());
	show(0);
	SHOW(set(0, SCHED_OTHER, 0));
	SHOW(is_no_task());
	show(0);
}

static pid_t other;
static pthread_barrier_t barrier;

static void *be_set(void *unused)
{
	other = gettid();
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	sched_yield();
	SHOW(sched_getscheduler(0));
	SHOW(is_task_if_expected());
	return unused;
}

static void set_another(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	thread = other_thread(be_set, NULL);
	pthread_barrier_wait(&barrier);
	SHOW(set(other, SCHED_FIFO, 20));
	show(other);
	pthread_barrier_wait(&barrier);
	joined(thread);
}

static void refuse(void)
{
	struct attributes told = {0};

	SHOW(set(0, SCHED_FIFO, 100));
	SHOW(set(0, 99, 0));
	SHOW(set_attributes(0, NULL, 0));
	SHOW(errno);
	SHOW(set_attributes(0, &told, 1));
	SHOW(errno);
	SHOW(get_attributes(0, &told, 1, 0));
	SHOW(errno);
	SHOW(get_attributes(0, NULL, sizeof(told), 0));
	SHOW(errno);
	show(0);
}

int main(void)
{
	find_names();
	set_own();
	set_another();
	refuse();
	return 0;
}
