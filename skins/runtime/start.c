/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of the nucleus: see start.h. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "runtime/start.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "runtime/caller.h"

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

int runtime_stop(void)
{
	int error = runtime_detach_main();

	return error ? error : tact_stop();
}
