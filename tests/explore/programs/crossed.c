/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program of a skin as a user has it, with a mistake that `tactus explore -- PROGRAM` finds: two
 * tasks take two semaphores in opposite orders. At plain costs the more urgent task always comes
 * after the other one has given both back.
 *
 * The first argument selects what else it does. right: both take them in the same order. forever:
 * a correct control loop that never ends. hosted: it decides by an address of the host. fails,
 * software, crashes, signal, hangs: how it ends.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <alchemy/sem.h>
#include <alchemy/task.h>
#include <alchemy/timer.h>

static RT_SEM one, other;

static void with_both(RT_SEM *first, RT_SEM *second)
{
	if (rt_sem_p(first, TM_INFINITE) || rt_sem_p(second, TM_INFINITE))
		return;
	rt_sem_v(second);
	rt_sem_v(first);
}

static void weak(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++) {
		with_both(&one, &other);
		rt_task_sleep(1000);
	}
}

static void urgent(void *arg)
{
	for (int i = 0; i < 10; i++) {
		rt_task_sleep(1100);
		if (arg)
			with_both(&one, &other);
		else
			with_both(&other, &one);
	}
}

static void forever(void *arg)
{
	(void)arg;
	rt_task_set_periodic(NULL, TM_NOW, 1000000);
	while (rt_task_wait_period(NULL) == 0)
		;
}

static int end_as(const char *how)
{
	if (!strcmp(how, "crashes"))
		abort();
	if (!strcmp(how, "signal"))
		raise(SIGRTMIN + 1);
	if (!strcmp(how, "software"))
		_exit(EX_SOFTWARE);
	while (!strcmp(how, "hangs"))
		;
	return !strcmp(how, "fails");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	RT_TASK tasks[2];

	if (rt_sem_create(&one, "one", 1, S_PRIO) || rt_sem_create(&other, "other", 1, S_PRIO) ||
	    rt_task_create(&tasks[0], "weak", 0, 10, T_JOINABLE) ||
	    rt_task_create(&tasks[1], "urgent", 0, 20, T_JOINABLE))
		return 2;
	if (!strcmp(how, "hosted"))
		rt_task_sleep((RTIME)((uintptr_t)how >> 4 & 0xffff) + 1);
	rt_task_start(&tasks[1], urgent, *how ? tasks : NULL);
	rt_task_start(&tasks[0], strcmp(how, "forever") ? weak : forever, NULL);
	if (rt_task_join(&tasks[0]) || rt_task_join(&tasks[1]))
		return 3;
	puts("both have ended");
	fflush(stdout);
	return end_as(how);
}
