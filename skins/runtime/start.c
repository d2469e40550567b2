/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of the nucleus: see start.h. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "runtime/start.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "runtime/caller.h"
#include "runtime/task.h"

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

static int start(const struct runtime_program *program)
{
	struct tact_config config = {.name = program_invocation_short_name, .share = 1};
	char reason[TACT_REASON_BYTES];
	bool quiet = false;
	int error;

	if (program->configure)
		program->configure(&config, &quiet);
	error = tact_start(&config, reason);
	if (reason[0] && (error || !quiet))
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, reason);
	if (!error && runtime_is_main_thread())
		runtime_attach_main(program->main_name);
	/* -EPERM is documented for a context in which a service cannot work. */
	return error == -TACT_ENOMEM ? error : error ? -TACT_EPERM : 0;
}

int runtime_begin(const struct runtime_program *program)
{
	int error = 0;

	if (runtime_in_handler())
		return -TACT_EPERM;
	if (tact_cpus())
		return 0;
	pthread_mutex_lock(&starting);
	if (!tact_cpus())
		error = start(program);
	pthread_mutex_unlock(&starting);
	return error;
}

int runtime_root(const struct runtime_program *program, const struct tact_task_attr *attr,
		 void (*root)(void *arg), void *arg)
{
	struct tact_task_attr joined = *attr;
	tact_task_t task;
	int error = runtime_begin(program);

	joined.flags &= ~(uint32_t)TACT_TASK_NO_JOIN;
	if (!error)
		error = tact_task_create(&joined, &task);
	if (error)
		return error;
	error = tact_task_start(task, root, arg);
	if (error) {
		(void)tact_task_delete(task);
		return error;
	}
	do
		error = tact_task_join(task, TACT_FOREVER);
	while (error == -TACT_EINTR || error == -TACT_ECANCELED);
	/* -TACT_EIDRM: it was deleted. */
	return error == -TACT_EIDRM ? 0 : error;
}

static _Atomic tact_sem_t leaving; /* posted when a task has ended */

void runtime_stay_again(void)
{
	const tact_sem_t sem = atomic_load(&leaving);

	if (sem.id)
		(void)tact_sem_post(sem);
}

int runtime_stay(bool (*goes_on)(void))
{
	tact_sem_t sem;
	int error = tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem);

	if (error)
		return error;
	/* In the order of all: who ends a task counts, then looks here; here it is the other way
	 * round. So an end is seen by the count or by the semaphore. */
	atomic_store(&leaving, sem);
	while ((!error || error == -TACT_EINTR || error == -TACT_ECANCELED) &&
	       (runtime_task_count() || (goes_on && goes_on())))
		error = tact_sem_wait(sem, TACT_FOREVER);
	atomic_store(&leaving, ((tact_sem_t){0}));
	(void)tact_sem_delete(sem);
	return error == -TACT_EINTR || error == -TACT_ECANCELED ? 0 : error;
}

int runtime_stop(void)
{
	int error = runtime_detach_main();

	return error ? error : tact_stop();
}
