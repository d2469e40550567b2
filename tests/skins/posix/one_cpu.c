/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time threads of a program that may use one CPU. Linux also serves the threads there that
 * report a signal to a task; repeated reports of one signal would leave no time to others. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#include "check.h"

static sigset_t both;
static volatile int has_waited;

static void wait_for(const char *what, const sigset_t *set)
{
	const struct timespec ample = {5, 0};

	printf("%s: %d\n", what, sigtimedwait(set, NULL, &ample) - SIGRTMIN);
	fflush(stdout);
}

static void *waits_for_one_of_two(void *unused)
{
	sigset_t first;

	SHOW(is_task_if_expected());
	sigemptyset(&first);
	sigaddset(&first, SIGRTMIN);
	wait_for("both", &both);
	has_waited = 1;
	wait_for("the first", &first);
	wait_for("what was left", &both);
	return unused;
}

static void *sends(void *unused)
{
	pthread_t thread = fifo_thread(60, waits_for_one_of_two, NULL);

	pthread_kill(thread, SIGRTMIN);
	while (!has_waited)
		usleep(1000);
	pthread_kill(thread, SIGRTMIN + 1);
	for (volatile int i = 0; i < 10000000; i++)
		;
	pthread_kill(thread, SIGRTMIN);
	joined(thread);
	return unused;
}

int main(void)
{
	stay_on_one_cpu();
	sigemptyset(&both);
	sigaddset(&both, SIGRTMIN);
	sigaddset(&both, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	joined(fifo_thread(10, sends, NULL));
	return 0;
}
