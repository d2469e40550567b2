/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The nucleus is started by the first service that needs it, and where that is not possible the
 * service says so. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <alchemy/sem.h>

TEST_UNSTARTED(first_creation_starts_the_nucleus)
{
	RT_SEM sem;
	int error = 0;

	expect_eq(tact_cpus(), 0);
	/* Another program may have the CPU for the moment. */
	for (int i = 0; i < 600; i++) {
		error = rt_sem_create(&sem, "first", 1, S_PRIO);
		if (error != -EPERM)
			break;
		usleep(100000);
	}
	expect_ok(error);
	expect_eq(tact_cpus(), 1);
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
}

TEST_UNSTARTED(start_that_fails_is_told)
{
	RT_SEM sem;

	capture_reports();
	setenv("TACTUS_CPUS", "none", 1);
	expect_error(rt_sem_create(&sem, "first", 1, S_PRIO), EPERM);
	expect_report("TACTUS_CPUS");
	expect_eq(tact_cpus(), 0);
}

TEST_UNSTARTED(nothing_is_there_before_the_start)
{
	RT_SEM sem = {0};

	expect_error(rt_sem_v(&sem), EINVAL);
	expect_true(rt_timer_read() > 0);
	expect_eq(tact_cpus(), 0);
}

TEST(child_of_a_started_program_is_refused)
{
	RT_SEM sem;
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(rt_sem_create(&sem, NULL, 0, S_FIFO) == -EPERM ? 0 : 1);
	expect_eq(waitpid(pid, &status, 0), pid);
	expect_eq(status, 0);
}
