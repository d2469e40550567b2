/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs that become others by exec. The new program begins with the policy and affinity that
 * this one was told it has, not with those of its shadow. So `chrt -f 50 PROGRAM` gives PROGRAM a
 * real-time thread, which becomes a task again at its first call that is replaced. Source:
 * POSIX.1-2017, exec.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "posix/fd/files.h"
#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/state/identity.h"
#include "posix/state/record.h"
#include "posix/thread/affinity.h"
#include "posix/thread/thread.h"
#include "posix/timer/timers.h"

/* Returns whether the caller was a task. */
static bool prepare(void)
{
	bool was_task;

	/* Also in a vfork's child, which has its parent's memory. */
	posix_files_pass_exec();
	if (!posix_started())
		return false;
	if (!posix_identity_is_own()) {
		posix_vfork_child_inherit();
		return false;
	}
	posix_itimer_pass_exec();
	was_task = posix_is_task();
	if (was_task)
		posix_thread_pause();
	posix_affinity_restore();
	return was_task;
}

/* The exec was refused: restore everything. */
static int go_on(bool was_task)
{
	const int error = errno;

	if (was_task)
		posix_thread_resume();
	return posix_fail(error);
}

int execve(const char *path, char *const arguments[], char *const environment[])
{
	bool was_task = prepare();

	posix_real.execve(path, arguments, environment);
	return go_on(was_task);
}

int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, environ);
}

int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	bool was_task = prepare();

	posix_real.execvpe(file, arguments, environment);
	return go_on(was_task);
}

int execvp(const char *file, char *const arguments[])
{
	return execvpe(file, arguments, environ);
}

int fexecve(int fd, char *const arguments[], char *const environment[])
{
	bool was_task = prepare();

	posix_real.fexecve(fd, arguments, environment);
	return go_on(was_task);
}

/* The number of arguments of a form with a list, including the NULL at the end. */
static size_t count_of(va_list *list)
{
	va_list counted;
	size_t count = 2;

	va_copy(counted, *list);
	while (va_arg(counted, char *))
		count++;
	va_end(counted);
	return count;
}

static void collect(char *arguments[], size_t count, const char *first, va_list *list)
{
	arguments[0] = (char *)(uintptr_t)first;
	for (size_t i = 1; i < count; i++)
		arguments[i] = va_arg(*list, char *);
}

/* On the stack, not on the heap: a handler that has interrupted malloc() may call it, and so may a
 * vfork's child, which has its parent's heap. */
int execl(const char *path, const char *first, ...)
{
	va_list list;

	va_start(list, first);
	{
		const size_t count = count_of(&list);
		char *arguments[count];

		collect(arguments, count, first, &list);
		va_end(list);
		return execve(path, arguments, environ);
	}
}

int execlp(const char *file, const char *first, ...)
{
	va_list list;

	va_start(list, first);
	{
		const size_t count = count_of(&list);
		char *arguments[count];

		collect(arguments, count, first, &list);
		va_end(list);
		return execvpe(file, arguments, environ);
	}
}

/* The environment follows the end of the list. */
int execle(const char *path, const char *first, ...)
{
	va_list list;

	va_start(list, first);
	{
		const size_t count = count_of(&list);
		char *arguments[count];
		char *const *environment;

		collect(arguments, count, first, &list);
		environment = va_arg(list, char *const *);
		va_end(list);
		return execve(path, arguments, environment);
	}
}
