/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Named semaphores: used by real-time threads of one program alone, then by another program, by a
 * fork's child, and by a process that opens them once more, also while a thread waits. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 50

static const char *self;
static char names[2][48];
static sem_t *named[2];

static int open_both(void)
{
	for (int i = 0; i < 2; i++)
		named[i] = sem_open(names[i], O_CREAT, 0600, 0);
	return named[0] != SEM_FAILED && named[1] != SEM_FAILED;
}

static void *answers(void *rounds)
{
	for (intptr_t i = 0; i < (intptr_t)rounds; i++)
		if (sem_wait(named[0]) || sem_post(named[1]))
			return (void *)1;
	return NULL;
}

static void *asks(void *rounds)
{
	for (intptr_t i = 0; i < (intptr_t)rounds; i++)
		if (sem_post(named[0]) || sem_wait(named[1]))
			return (void *)1;
	return NULL;
}

static void *times_out(void *argument)
{
	struct timespec soon = later(CLOCK_REALTIME, 2000000), wrong = {.tv_nsec = -1};

	(void)argument;
	SHOW(is_task_if_expected());
	SHOW(sem_timedwait(named[0], &soon));
	SHOW(errno == ETIMEDOUT);
	SHOW(sem_timedwait(named[0], &wrong));
	SHOW(errno == EINVAL);
	SHOW(sem_trywait(named[0]));
	return NULL;
}

/* Two threads of the program pass it to each other. */
static void among_threads(pthread_t (*other)(void *(*entry)(void *), void *argument))
{
	pthread_t threads[2];

	threads[0] = fifo_thread(20, answers, (void *)ROUNDS);
	threads[1] = other(asks, (void *)ROUNDS);
	for (int i = 0; i < 2; i++)
		SHOW((long)joined(threads[i]));
}

static pthread_t fifo_too(void *(*entry)(void *), void *argument)
{
	return fifo_thread(20, entry, argument);
}

/* Waits already when another program opens both and asks; it ends with the last answer. */
static void with_program(const char *how)
{
	pthread_t thread = fifo_thread(20, answers, (void *)ROUNDS);
	char command[256];

	usleep(5000); /* it waits by now */
	snprintf(command, sizeof(command), "%s %s %s %s", how, self, names[0], names[1]);
	fflush(stdout);
	SHOW(system(command));
	SHOW((long)joined(thread));
}

static void with_child(void)
{
	pthread_t thread = fifo_thread(20, answers, (void *)ROUNDS);
	int status = 0;
	pid_t child;

	usleep(5000);
	child = fork();
	if (!child)
		_exit(asks((void *)ROUNDS) != NULL);
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
	SHOW((long)joined(thread));
}

/* The program opens it once more while a thread waits for it. */
static void opened_again(void)
{
	pthread_t thread = fifo_thread(20, answers, (void *)1);
	sem_t *again;

	usleep(5000);
	again = sem_open(names[0], 0);
	SHOW(again == named[0]);
	SHOW(sem_close(again));
	SHOW((long)asks((void *)1));
	SHOW((long)joined(thread));
}

int main(int argc, char **argv)
{
	self = argv[0];
	for (int i = 0; i < 2; i++)
		snprintf(names[i], sizeof(names[i]), "/tactus-named-%d-%d", (int)getpid(), i);
	if (argc == 3) {
		strcpy(names[0], argv[1]);
		strcpy(names[1], argv[2]);
		return !open_both() || joined(other_thread(asks, (void *)ROUNDS)) != NULL;
	}
	SHOW(open_both());
	joined(fifo_thread(20, times_out, NULL));
	among_threads(fifo_too);
	among_threads(other_thread);
	opened_again();
	among_threads(fifo_too);
	with_program("");
	among_threads(fifo_too);
	for (int i = 0; i < 2; i++)
		SHOW(sem_close(named[i]));
	SHOW(open_both());
	among_threads(fifo_too);
	with_program("env -u LD_PRELOAD");
	for (int i = 0; i < 2; i++)
		SHOW(sem_close(named[i]));
	SHOW(open_both());
	among_threads(fifo_too);
	with_child();
	among_threads(fifo_too);
	for (int i = 0; i < 2; i++)
		SHOW(sem_unlink(names[i]));
	among_threads(fifo_too);
	SHOW(sem_open(names[0], 0) == SEM_FAILED);
	SHOW(errno == ENOENT);
	return 0;
}
