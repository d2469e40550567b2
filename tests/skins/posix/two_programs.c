/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects between two programs, both with real-time threads: named and process-shared semaphores,
 * mutexes, conditions and barriers, and robust mutexes whose owner dies. The second program runs
 * like this one, and then plainly beside it.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 20

struct shared {
	pthread_mutex_t robust[2]; /* the second one with inheritance */
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_barrier_t barrier;
	sem_t turns[2], locked, tried;
	int turn;
};

static struct shared *shared;
static sem_t *named[2];
static int mine; /* 0: the first program's turn, 1: the second one's */

static void make(int fd)
{
	pthread_mutexattr_t attribute;
	pthread_condattr_t for_cond;
	pthread_barrierattr_t for_barrier;

	if (ftruncate(fd, sizeof(*shared)))
		exit(1);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->mutex, &attribute);
	pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&shared->robust[0], &attribute);
	pthread_mutexattr_setprotocol(&attribute, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&shared->robust[1], &attribute);
	pthread_condattr_init(&for_cond);
	pthread_condattr_setpshared(&for_cond, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared->cond, &for_cond);
	pthread_barrierattr_init(&for_barrier);
	pthread_barrierattr_setpshared(&for_barrier, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->barrier, &for_barrier, 2);
	sem_init(&shared->turns[0], 1, 1);
	sem_init(&shared->turns[1], 1, 0);
	sem_init(&shared->locked, 1, 0);
	sem_init(&shared->tried, 1, 0);
}

static sem_t *open_named(pid_t pid, int which)
{
	char name[48];

	snprintf(name, sizeof(name), "/tactus-between-%d-%d", (int)pid, which);
	return sem_open(name, O_CREAT, 0600, !which);
}

static void unlink_named(int which)
{
	char name[48];

	snprintf(name, sizeof(name), "/tactus-between-%d-%d", (int)getpid(), which);
	SHOW(sem_unlink(name));
}

/* Both programs do this, each in its turn. */
static int take_turns(void)
{
	int well = 1;

	for (int i = 0; i < ROUNDS; i++)
		well &= !sem_wait(&shared->turns[mine]) && !sem_post(&shared->turns[!mine]);
	for (int i = 0; i < ROUNDS; i++)
		well &= !sem_wait(named[mine]) && !sem_post(named[!mine]);
	for (int i = 0; i < ROUNDS; i++) {
		well &= !pthread_mutex_lock(&shared->mutex);
		while (shared->turn != mine)
			well &= !pthread_cond_wait(&shared->cond, &shared->mutex);
		shared->turn = !mine;
		well &= !pthread_cond_signal(&shared->cond);
		well &= !pthread_mutex_unlock(&shared->mutex);
	}
	for (int i = 0; i < ROUNDS; i++) {
		int result = pthread_barrier_wait(&shared->barrier);

		well &= !result || result == PTHREAD_BARRIER_SERIAL_THREAD;
	}
	return well;
}

static void *second(void *how)
{
	mine = 1;
	if (!take_turns())
		return (void *)1;
	/* Dies with both, while the first program waits, or before. */
	if (pthread_mutex_lock(&shared->robust[0]) || pthread_mutex_lock(&shared->robust[1]))
		return (void *)2;
	sem_post(&shared->locked);
	if (!strcmp(how, "killed"))
		pause();
	if (!strcmp(how, "ended"))
		_exit(0);
	/* The owner in the first program ends. */
	pthread_mutex_unlock(&shared->robust[1]);
	pthread_mutex_unlock(&shared->robust[0]);
	sem_wait(&shared->tried);
	return (void *)(intptr_t)(pthread_mutex_lock(&shared->robust[0]) == EOWNERDEAD ? 0 : 3);
}

/* Waits for the mutex with which the other one dies. */
static void *inherits(void *which)
{
	pthread_mutex_t *mutex = &shared->robust[(intptr_t)which];
	int error = pthread_mutex_lock(mutex);

	if (error == EOWNERDEAD) {
		pthread_mutex_consistent(mutex);
		pthread_mutex_unlock(mutex);
	}
	return (void *)(intptr_t)error;
}

static void *ends_with_it(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&shared->robust[0]);
	return NULL;
}

static void *first(void *unused)
{
	(void)unused;
	SHOW(is_task_if_expected());
	SHOW(take_turns());
	sem_wait(&shared->locked);
	return NULL;
}

static pid_t begin_second(const char *self, int fd, const char *how, int plainly)
{
	char number[16], pid[16];
	pid_t child;

	snprintf(number, sizeof(number), "%d", fd);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	fflush(stdout);
	child = fork();
	if (child)
		return child;
	if (plainly)
		unsetenv("LD_PRELOAD");
	execl(self, self, number, pid, how, NULL);
	_exit(127);
}

static void with_second(const char *self, const char *how, int plainly)
{
	int fd = memfd_create("between", 0), status = 0;
	pthread_t waiters[2];
	pid_t child;

	make(fd);
	printf("%s, %s\n", how, plainly ? "plainly" : "as this one");
	child = begin_second(self, fd, how, plainly);
	joined(fifo_thread(20, first, NULL));
	if (!strcmp(how, "waits")) {
		joined(fifo_thread(20, ends_with_it, NULL));
		sem_post(&shared->tried);
	} else {
		for (intptr_t i = 0; i < 2; i++)
			waiters[i] = fifo_thread(20, inherits, (void *)i);
		if (!strcmp(how, "killed")) {
			usleep(5000);
			kill(child, SIGKILL);
		}
		for (int i = 0; i < 2; i++)
			SHOW((long)joined(waiters[i]));
	}
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
	munmap(shared, sizeof(*shared));
	close(fd);
}

int main(int argc, char **argv)
{
	static const char *const ways[] = {"killed", "ended", "waits"};

	/* Both have tasks on one CPU. */
	setenv("TACTUS_RUN_SHARE", "1", 1);
	for (int i = 0; i < 2; i++)
		named[i] = open_named(argc == 4 ? atoi(argv[2]) : getpid(), i);
	if (argc == 4) {
		shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
			      atoi(argv[1]), 0);
		return (int)(intptr_t)joined(fifo_thread(20, second, argv[3]));
	}
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		with_second(argv[0], ways[i], 0);
		with_second(argv[0], ways[i], 1);
	}
	for (int i = 0; i < 2; i++)
		unlink_named(i);
	return 0;
}
