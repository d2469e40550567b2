/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program of a Xenomai user's: no start of anything, options on the command line, pause(). */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <alchemy/alarm.h>
#include <alchemy/cond.h>
#include <alchemy/event.h>
#include <alchemy/mutex.h>
#include <alchemy/sem.h>
#include <alchemy/task.h>
#include <alchemy/timer.h>

static RT_TASK task;
static RT_SEM turns;

static void demo(void *arg)
{
	int *count = arg;

	rt_task_set_periodic(NULL, TM_NOW, rt_timer_ns2ticks(1000000));
	for (int i = 0; i < 3; i++) {
		rt_task_wait_period(NULL);
		++*count;
		rt_sem_v(&turns);
	}
	kill(getpid(), SIGTERM);
}

static void done(int signal)
{
	(void)signal;
}

int main(int argc, char *argv[])
{
	int count = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGTERM, done);
	mlockall(MCL_CURRENT | MCL_FUTURE);
	if (rt_sem_create(&turns, "turns", 0, S_PRIO) ||
	    rt_task_create(&task, "demo", 0, 50, T_JOINABLE) || rt_task_start(&task, demo, &count))
		return 1;
	for (int i = 0; i < 3; i++)
		if (rt_sem_p(&turns, TM_INFINITE))
			return 1;
	sigemptyset(&set);
	sigsuspend(&set);
	if (rt_task_join(&task))
		return 1;
	printf("%s %d turns of %lld\n", argc > 1 ? argv[1] : "", count, rt_timer_ticks2ns(1));
	return 0;
}
