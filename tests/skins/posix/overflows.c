/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Real-time threads that use more stack than they have, down to unmapped memory: this ends the
 * program by SIGSEGV, also if that has a handler, which would need some of the stack. Each runs in
 * a child of a parent without tasks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define PAGE  4096u
#define FRAME 1000u

static size_t given; /* 0: the C library's own */

static __attribute__((noinline)) unsigned deep(unsigned levels)
{
	volatile unsigned char room[FRAME];

	room[0] = (unsigned char)levels;
	if (levels % 8 == 0)
		sched_yield();
	return (levels ? deep(levels - 1) : 0) + room[0];
}

static void *goes_down(void *argument)
{
	SHOW(is_task_if_expected());
	usleep(1000);
	printf("%u\n", deep(1u << 20));
	return argument;
}

static void leave(int signal)
{
	_exit(signal);
}

static pthread_t start(void)
{
	struct sched_param parameter = {.sched_priority = 30};
	pthread_attr_t attributes;
	char *memory;
	pthread_t thread;
	int error;

	if (!given)
		return fifo_thread(30, goes_down, NULL);
	memory = mmap(NULL, PAGE + given, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	mprotect(memory, PAGE, PROT_NONE);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, memory + PAGE, given);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	error = pthread_create(&thread, &attributes, goes_down, NULL);
	if (error)
		exit(error == EPERM ? 77 : 1);
	return thread;
}

static void child(bool handles)
{
	const struct sigaction action = {.sa_handler = leave};

	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	if (handles)
		sigaction(SIGSEGV, &action, NULL);
	joined(start());
	exit(0);
}

static void in_child(bool handles)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		child(handles);
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		exit(77);
	SHOW(WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status));
}

int main(void)
{
	static const size_t sizes[] = {0, 65536, 262144};
	const struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		given = sizes[i];
		SHOW(given);
		in_child(false);
		in_child(true);
	}
	return 0;
}
