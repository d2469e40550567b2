/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes that cannot be made. */
#define _GNU_SOURCE
#include <spawn.h>

#include "errors.h"

pid_t _Fork(void);

static char *arguments[] = {"x", NULL};
static pid_t made;

/* Without a shell, as if that had ended so. */
static int without_shell(void)
{
	errno = 0;
	return system("true") == 127 << 8 ? errno : 0;
}

static void no_child(void)
{
	static char stack[65536];

	FAILS(EAGAIN, fork());
	FAILS(EAGAIN, _Fork());
	FAILS(EAGAIN, vfork());
	FAILS(EAGAIN, clone((int (*)(void *))(void *)abort, stack + sizeof(stack), SIGCHLD, NULL));
	RETURNS(EAGAIN, posix_spawn(&made, "/bin/true", NULL, NULL, arguments, environ));
	RETURNS(EAGAIN, posix_spawnp(&made, "/bin/true", NULL, NULL, arguments, environ));
	RETURNS_AS("system", EAGAIN, without_shell());
}

static void spawn_refused(const posix_spawnattr_t *high)
{
	RETURNS(EPERM, posix_spawn(&made, "/bin/true", NULL, high, arguments, environ));
	RETURNS(EPERM, posix_spawnp(&made, "true", NULL, high, arguments, environ));
}

static void spawned_otherwise(void)
{
	const struct sched_param high = {.sched_priority = 60}, too_high = {.sched_priority = 100};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, 1000, 1);
	RETURNS(EBADF, posix_spawn(&made, "/bin/true", &actions, NULL, arguments, environ));
	RETURNS(EBADF, posix_spawnp(&made, "true", &actions, NULL, arguments, environ));
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSCHEDULER);
	posix_spawnattr_setschedpolicy(&attributes, SCHED_FIFO);
	posix_spawnattr_setschedparam(&attributes, &too_high);
	RETURNS(EINVAL, posix_spawn(&made, "/bin/true", NULL, &attributes, arguments, environ));
	RETURNS(EINVAL, posix_spawnp(&made, "true", NULL, &attributes, arguments, environ));
	posix_spawnattr_setschedparam(&attributes, &high);
	WITHOUT(RLIMIT_RTPRIO, AS_NOBODY(spawn_refused(&attributes)));
	posix_spawnattr_destroy(&attributes);
}

static void commands(void)
{
	struct sigaction ignored = {.sa_handler = SIG_IGN}, former;

	IS_NULL(EINVAL, popen("true", "?"));
	NEED(!sigaction(SIGCHLD, &ignored, &former));
	FAILS(ECHILD, system("true"));
	NEED(!sigaction(SIGCHLD, &former, NULL));
}

/* A task is none while it makes a child, and without room it does not become one again. */
static void *starve(void *argument)
{
	WITHOUT(RLIMIT_AS,
		RETURNS(ENOMEM, posix_spawn(&made, "/bin/true", NULL, NULL, arguments, environ)));
	WITHOUT(RLIMIT_AS,
		RETURNS(ENOMEM, posix_spawnp(&made, "/bin/true", NULL, NULL, arguments, environ)));
	WITHOUT(RLIMIT_AS, RETURNS_AS("system", ENOMEM, without_shell()));
	return argument;
}

static void *have_no_file(void *argument)
{
	WITHOUT(RLIMIT_NOFILE, IS_NULL(EMFILE, popen("true", "r")));
	return argument;
}

static void *have_no_memory(void *argument)
{
	WITHOUT_MEMORY(IS_NULL(ENOMEM, popen("true", "r")));
	return argument;
}

static void by_another(void *(*entry)(void *))
{
	joined(is_fifo() ? fifo_thread(50, entry, NULL) : other_thread(entry, NULL));
}

static void clones(void)
{
	static char stack[65536];
	int (*const entry)(void *) = (int (*)(void *))(void *)abort;

	FAILS(EINVAL, clone(NULL, stack + sizeof(stack), SIGCHLD, NULL));
	FAILS(EINVAL, clone(entry, NULL, SIGCHLD, NULL));
	FAILS(EINVAL, clone(entry, stack + sizeof(stack), CLONE_SIGHAND, NULL));
	AS_NOBODY(FAILS(EPERM, clone(entry, stack + sizeof(stack), CLONE_NEWNS, NULL)));
}

static void cases(void)
{
	spawned_otherwise();
	commands();
	clones();
	WITHOUT(RLIMIT_NPROC, AS_NOBODY(no_child()));
	NEED(!is_fifo() || is_task_if_expected());
	by_another(starve);
	by_another(have_no_file);
	by_another(have_no_memory);
}

int main(void)
{
	return from_every_thread(cases);
}
