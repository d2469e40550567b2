/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Many tasks wait while one is interrupted all the time: the interruptions do not wake them, and
 * they still get their own signals. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define WAITERS 24
#define LOOK_US 400000
#define TOO_FEW 4000 /* wake-ups in that time: the machine is too slow for a crowd */
#define ONE_OF  4    /* one of so many may wake a waiter */

static sem_t never;
static pid_t tids[WAITERS];
static _Atomic int ready, wake_ups, handled, over;

static void handle(int signal)
{
	(void)signal;
	atomic_store(&handled, 1);
}

static void *waits(void *argument)
{
	tids[(intptr_t)argument] = (pid_t)syscall(SYS_gettid);
	atomic_fetch_add(&ready, 1);
	if (!sem_wait(&never))
		return NULL;
	return (void *)(intptr_t)errno;
}

static void *computes(void *argument)
{
	while (!atomic_load(&over))
		;
	return argument;
}

static void *wakes(void *argument)
{
	while (!atomic_load(&over)) {
		usleep(50);
		atomic_fetch_add(&wake_ups, 1);
	}
	return argument;
}

static long times_woken(pid_t tid)
{
	static const char name[] = "voluntary_ctxt_switches:";
	char path[64], line[128];
	long count = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/status", tid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, sizeof(name) - 1))
			count = strtol(line + sizeof(name) - 1, NULL, 10);
	if (file)
		fclose(file);
	return count;
}

static void waiters_are_left_alone(void)
{
	long woken = times_woken(tids[0]);
	int before = atomic_load(&wake_ups);

	usleep(LOOK_US);
	woken = times_woken(tids[0]) - woken;
	before = atomic_load(&wake_ups) - before;
	SHOW(before < TOO_FEW || woken * ONE_OF < before);
}

/* By another process, whose calls are not seen here. */
static void one_is_interrupted(pthread_t thread)
{
	pid_t parent = getpid();
	pid_t child = fork();
	void *result = NULL;
	int status;

	if (!child)
		_exit(syscall(SYS_tgkill, parent, tids[1], SIGUSR1) != 0);
	SHOW(waitpid(child, &status, 0) == child && !status);
	SHOW(pthread_join(thread, &result));
	SHOW((intptr_t)result == EINTR);
	SHOW(atomic_load(&handled));
}

int main(void)
{
	const struct sigaction action = {.sa_handler = handle};
	pthread_t waiters[WAITERS];
	pthread_t low, high;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return 77;
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&never, 0, 0);
	for (intptr_t i = 0; i < WAITERS; i++)
		waiters[i] = fifo_thread(30, waits, (void *)i);
	while (atomic_load(&ready) < WAITERS)
		usleep(1000);
	low = fifo_thread(40, computes, NULL);
	high = fifo_thread(60, wakes, NULL);
	usleep(LOOK_US);
	waiters_are_left_alone();
	one_is_interrupted(waiters[1]);
	atomic_store(&over, 1);
	joined(low);
	joined(high);
	for (int i = 0; i < WAITERS; i++)
		sem_post(&never);
	for (int i = 0; i < WAITERS; i++)
		if (i != 1)
			pthread_join(waiters[i], NULL);
	return 0;
}
