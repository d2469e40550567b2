/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiters of one futex that are moved to another: threads with a real-time policy, and others among
 * them. Source: futex(2), FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_WAKE_OP. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define WAITERS 5

static _Atomic uint32_t first, second;
static _Atomic int about_to, order;
static int woken_as[WAITERS];

static long futex(_Atomic uint32_t *word, int operation, long value, long time,
		  _Atomic uint32_t *other, long last)
{
	return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, time, other, last);
}

static void *waits(void *argument)
{
	atomic_store(&about_to, gettid());
	if (futex(&first, FUTEX_WAIT, 0, 0, NULL, 0))
		return (void *)(long)errno;
	woken_as[(long)argument] = 1 + atomic_fetch_add(&order, 1);
	return NULL;
}

static void *times_out(void *argument)
{
	const struct timespec time = {.tv_nsec = 100000000};

	(void)argument;
	atomic_store(&about_to, gettid());
	return (void *)(long)(futex(&first, FUTEX_WAIT, 0, (long)&time, NULL, 0) ? errno : 0);
}

static int sleeps(pid_t tid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		abort();
	fclose(file);
	return state == 'S';
}

/* A task's Linux thread sleeps all the time, so it also gets a moment. */
static void until_asleep(void)
{
	while (!atomic_load(&about_to) || !sleeps(atomic_load(&about_to)))
		usleep(1000);
	atomic_store(&about_to, 0);
	usleep(20000);
}

static int ordered(int number)
{
	for (int i = 0; i < 10000 && atomic_load(&order) < number; i++)
		usleep(1000);
	return atomic_load(&order);
}

static void move(const char *what, int real_time)
{
	pthread_t thread[WAITERS];

	puts(what);
	atomic_store(&order, 0);
	memset(woken_as, 0, sizeof(woken_as));
	for (long i = 0; i < WAITERS; i++) {
		thread[i] = i < real_time ? fifo_thread(20 + (int)i, waits, (void *)i)
					  : other_thread(waits, (void *)i);
		until_asleep();
	}
	SHOW(futex(&first, FUTEX_CMP_REQUEUE, 1, INT_MAX, &second, 7));
	SHOW(errno == EAGAIN);
	SHOW(futex(&first, FUTEX_CMP_REQUEUE, 1, 2, &second, 0));
	SHOW(ordered(1));
	SHOW(futex(&first, FUTEX_REQUEUE, 0, INT_MAX, &second, 0));
	SHOW(futex(&first, FUTEX_WAKE, INT_MAX, 0, NULL, 0));
	SHOW(futex(&second, FUTEX_REQUEUE, 0, 1, &first, 0));
	SHOW(futex(&first, FUTEX_WAKE, INT_MAX, 0, NULL, 0));
	/* Longer than a task waits without a check. */
	usleep(100000);
	SHOW(ordered(2));
	SHOW(futex(&second, FUTEX_WAKE, INT_MAX, 0, NULL, 0));
	for (int i = 0; i < WAITERS; i++)
		SHOW((long)joined(thread[i]));
	SHOW(ordered(WAITERS));
	/* Of threads of one kind, the most urgent is first. */
	SHOW(real_time < WAITERS || woken_as[WAITERS - 1] == 1);
}

static void time_out_elsewhere(void)
{
	pthread_t thread = fifo_thread(20, times_out, NULL);

	until_asleep();
	SHOW(futex(&first, FUTEX_REQUEUE, 0, 1, &second, 0));
	SHOW((long)joined(thread) == ETIMEDOUT);
	SHOW(futex(&second, FUTEX_WAKE, 1, 0, NULL, 0));
}

static void wake_and_change(void)
{
	pthread_t thread = fifo_thread(20, waits, NULL);

	until_asleep();
	SHOW(futex(&first, FUTEX_WAKE_OP, 1, 1, &second,
		   FUTEX_OP(FUTEX_OP_SET, 3, FUTEX_OP_CMP_EQ, 0)));
	SHOW((long)joined(thread));
	SHOW(atomic_load(&second));
}

/* A thread that did not request a move to a lock is not moved. */
static void move_to_lock(pthread_t thread)
{
	until_asleep();
	SHOW(futex(&first, FUTEX_CMP_REQUEUE_PI, 1, 0, &second, 7));
	SHOW(errno == EAGAIN);
	SHOW(futex(&first, FUTEX_CMP_REQUEUE_PI, 1, 0, &second, 0));
	SHOW(errno == EINVAL);
	SHOW(futex(&first, FUTEX_WAKE, 1, 0, NULL, 0));
	SHOW((long)joined(thread));
}

int main(void)
{
	move("real-time threads", WAITERS);
	move("others", 0);
	move("both", 2);
	time_out_elsewhere();
	wake_and_change();
	atomic_store(&second, 0);
	move_to_lock(fifo_thread(20, waits, NULL));
	move_to_lock(other_thread(waits, NULL));
	return 0;
}
