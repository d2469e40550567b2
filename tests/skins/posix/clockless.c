/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread that makes Linux refuse it the processor's clock (PR_SET_TSC) is no task while that
 * lasts: it sleeps, waits, takes signals and makes threads as plainly, and a reading of the clock
 * is a fault that it handles. When the clock is allowed again, it is a task again.
 */
#include "check.h"

#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static sem_t sem;
static sigjmp_buf back;
static volatile int alarms;

static void faulted(int signal)
{
	siglongjmp(back, signal);
}

static void alarmed(int signal)
{
	(void)signal;
	alarms++;
}

static int reads_clock(void)
{
	unsigned low, high;
	int signal = sigsetjmp(back, 1);

	if (!signal)
		__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return signal;
}

static void *young(void *argument)
{
	printf("its child's clock: %d\n", reads_clock());
	usleep(1000);
	prctl(PR_SET_TSC, PR_TSC_ENABLE);
	SHOW(is_task_if_expected());
	return argument;
}

static void *run(void *argument)
{
	SHOW(is_task_if_expected());
	SHOW(reads_clock());
	for (int i = 0; i < 3; i++) {
		SHOW(prctl(PR_SET_TSC, PR_TSC_SIGSEGV));
		SHOW(is_no_task());
		SHOW(reads_clock());
		SHOW(usleep(1000));
		raise(SIGALRM);
		pthread_kill(pthread_self(), SIGALRM);
		sem_post(&sem);
		SHOW(sem_wait(&sem));
		joined(fifo_thread(40, young, NULL));
		SHOW(prctl(PR_SET_TSC, PR_TSC_ENABLE));
		SHOW(is_task_if_expected());
		SHOW(reads_clock());
		SHOW(usleep(1000));
	}
	SHOW(alarms);
	return argument;
}

int main(void)
{
	sem_init(&sem, 0, 0);
	signal(SIGSEGV, faulted);
	signal(SIGALRM, alarmed);
	joined(fifo_thread(50, run, NULL));
	return 0;
}
