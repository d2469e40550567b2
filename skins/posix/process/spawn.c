/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs that are started beside this one. Each begins with the policy, priority and affinity
 * that the creating thread has in Linux, and a task's shadow has others than the program was told.
 * The C library makes the child by calls that cannot be replaced. So the task is a plain thread
 * meanwhile. Source: POSIX.1-2017, posix_spawn(), system(), popen().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "posix/fd/files.h"
#include "posix/libc/real.h"
#include "posix/state/identity.h"
#include "posix/state/options.h"
#include "posix/state/record.h"
#include "posix/thread/affinity.h"
#include "posix/thread/thread.h"

/* Returns whether the caller was a task. A task that may not call Linux must be found doing it. */
static bool become_parent(void)
{
	if (!posix_is_task() || posix_task_flags() & TACT_TASK_NO_LINUX || !posix_identity_is_own())
		return false;
	posix_thread_pause();
	if (posix_thread_is_task(&posix_me))
		return false;
	posix_affinity_restore();
	return true;
}

static void go_on(bool was_task)
{
	const int error = errno;

	if (was_task)
		posix_thread_resume();
	errno = error;
}

/* This library does not see what the child does to its descriptors. */
static bool begin(const posix_spawn_file_actions_t *actions)
{
	if (actions)
		posix_files_share_all();
	else
		posix_files_pass_exec();
	return become_parent();
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attributes, char *const arguments[],
		char *const environment[])
{
	const bool was_task = begin(actions);
	const int error =
		posix_real.posix_spawn(pid, path, actions, attributes, arguments, environment);

	go_on(was_task);
	return error;
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attributes, char *const arguments[],
		 char *const environment[])
{
	const bool was_task = begin(actions);
	const int error =
		posix_real.posix_spawnp(pid, file, actions, attributes, arguments, environment);

	go_on(was_task);
	return error;
}

int system(const char *command)
{
	const bool was_task = begin(NULL);
	const int status = posix_real.system(command);

	go_on(was_task);
	return status;
}

FILE *popen(const char *command, const char *mode)
{
	const bool was_task = begin(NULL);
	FILE *const file = posix_real.popen(command, mode);

	go_on(was_task);
	return file;
}
