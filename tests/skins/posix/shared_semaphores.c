/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Process-shared and named semaphores for which real-time threads wait, and which other processes
 * post: first the program's own threads, then a new process; waits that end without a unit; other
 * processes that are stopped or killed; more semaphores than can be waited for at once; other
 * memory at the same address.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY   80
#define ROUNDS 100

static const char *self;
static sem_t *sems; /* a page of them */

static sem_t *page_of(int fd, void *place)
{
	return mmap(place, MANY * sizeof(sem_t), PROT_READ | PROT_WRITE,
		    MAP_SHARED | (place ? MAP_FIXED : 0), fd, 0);
}

static void begin(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		sem_init(&sems[i], 1, 0);
}

static int ended(pid_t child)
{
	int status = -1;

	return waitpid(child, &status, 0) == child ? status : -1;
}

/* By a separate process, so many to each. */
static void post_elsewhere(unsigned count)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		for (unsigned i = 0; i < count; i++)
			sem_post(&sems[i]);
		_exit(0);
	}
	SHOW(ended(child));
}

static void *waits(void *which)
{
	return (void *)(intptr_t)(sem_wait(which) ? errno : 0);
}

static void *passes(void *me)
{
	for (int i = 0; i < ROUNDS; i++)
		if (sem_wait(&sems[(intptr_t)me]) || sem_post(&sems[!me]))
			return (void *)1;
	return NULL;
}

static void among_threads(pthread_t second)
{
	pthread_t first = fifo_thread(20, passes, NULL);

	sem_post(&sems[0]);
	SHOW((long)joined(first));
	SHOW((long)joined(second));
	SHOW(sem_trywait(&sems[0]));
	SHOW(sem_trywait(&sems[1]));
}

static void from_elsewhere(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t threads[] = {fifo_thread(20, waits, &sems[0]),
				       fifo_thread(21, waits, &sems[1])};

		usleep(3000);
		post_elsewhere(2);
		for (int n = 0; n < 2; n++)
			SHOW((long)joined(threads[n]));
	}
}

static void *gives_up(void *unused)
{
	struct timespec soon = later(CLOCK_REALTIME, 30000000), past = {0}, wrong = {.tv_nsec = -1};

	(void)unused;
	SHOW(is_task_if_expected());
	SHOW(sem_timedwait(&sems[2], &soon));
	SHOW(errno == ETIMEDOUT);
	SHOW(sem_timedwait(&sems[2], &past));
	SHOW(errno == ETIMEDOUT);
	SHOW(sem_timedwait(&sems[2], &wrong));
	SHOW(errno == EINVAL);
	return NULL;
}

static void ignore(int signal)
{
	(void)signal;
}

/* Repeatedly, because the first signal may come before it waits. */
static void *interrupted(pthread_t thread)
{
	void *result;

	do {
		usleep(3000);
		pthread_kill(thread, SIGUSR1);
	} while (pthread_tryjoin_np(thread, &result));
	return result;
}

/* Waits that end without a unit do not affect those of the others. */
static void without_a_unit(void)
{
	struct sigaction action = {.sa_handler = ignore};
	pthread_t thread;

	joined(fifo_thread(20, gives_up, NULL));
	sigaction(SIGUSR1, &action, NULL);
	thread = fifo_thread(20, waits, &sems[2]);
	SHOW((long)interrupted(thread) == EINTR);
	thread = fifo_thread(20, waits, &sems[2]);
	usleep(3000);
	pthread_cancel(thread);
	SHOW(joined(thread) == PTHREAD_CANCELED);
	thread = other_thread(waits, &sems[2]);
	usleep(3000);
	SHOW(sem_post(&sems[2]));
	SHOW((long)joined(thread));
	sem_init(&sems[2], 1, SEM_VALUE_MAX);
	SHOW(sem_post(&sems[2]));
	SHOW(errno == EOVERFLOW);
}

static void many(void)
{
	pthread_t threads[MANY];
	int well = 1;

	begin(MANY);
	for (int i = 0; i < MANY; i++)
		threads[i] = fifo_thread(20, waits, &sems[i]);
	usleep(10000);
	post_elsewhere(MANY);
	for (int i = 0; i < MANY; i++)
		well &= !joined(threads[i]);
	SHOW(well);
}

/* In place of a semaphore for which threads have waited, there is another one, in other memory. */
static void other_memory(int fd)
{
	pthread_t thread;

	begin(2);
	among_threads(fifo_thread(20, passes, (void *)1));
	SHOW(page_of(fd, sems) == sems);
	begin(2);
	thread = fifo_thread(20, waits, &sems[0]);
	usleep(3000);
	post_elsewhere(1);
	SHOW((long)joined(thread));
}

static pid_t program(const char *name)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(self, self, name, (char *)NULL);
		_exit(127);
	}
	return child;
}

/* A program that waits and is stopped, or killed, does not affect the others. */
static void beside(int number, int stops)
{
	sem_t *named[2];
	pthread_t thread;
	char name[2][48];
	pid_t child;

	for (int i = 0; i < 2; i++)
		snprintf(name[i], sizeof(name[i]), "/tactus-foreign-%d-%d", (int)getpid(), i);
	named[1] = sem_open(name[1], O_CREAT, 0600, 0);
	child = program(name[0]);
	sem_wait(named[1]);
	usleep(5000); /* it waits by now */
	SHOW(kill(child, number));
	if (stops)
		waitpid(child, NULL, WUNTRACED);
	else
		ended(child);
	alarm(30);
	named[0] = sem_open(name[0], O_CREAT, 0600, 0);
	alarm(0);
	SHOW(named[0] != SEM_FAILED);
	thread = fifo_thread(20, waits, named[0]);
	usleep(3000);
	SHOW(sem_post(named[0]));
	SHOW((long)joined(thread));
	if (stops) {
		SHOW(kill(child, SIGCONT));
		SHOW(sem_post(named[0]));
		SHOW(ended(child));
	}
	for (int i = 0; i < 2; i++) {
		SHOW(sem_close(named[i]));
		SHOW(sem_unlink(name[i]));
	}
}

/* The other program: it reports its presence, and waits. */
static int second(const char *name)
{
	char other[64];
	sem_t *waited = sem_open(name, O_CREAT, 0600, 0), *there;

	snprintf(other, sizeof(other), "%.*s1", (int)strlen(name) - 1, name);
	there = sem_open(other, 0);
	/* First between its own threads, so that it belongs to the program. */
	sem_post(waited);
	if (joined(fifo_thread(20, waits, waited)))
		return 1;
	sem_post(there);
	return joined(fifo_thread(20, waits, waited)) != NULL;
}

int main(int argc, char **argv)
{
	int fd = memfd_create("foreign", 0), other = memfd_create("foreign", 0);

	self = argv[0];
	setenv("TACTUS_RUN_SHARE", "1", 1);
	if (argc == 2)
		return second(argv[1]);
	SHOW(ftruncate(fd, 4096) | ftruncate(other, 4096));
	sems = page_of(fd, NULL);
	begin(MANY);
	among_threads(fifo_thread(20, passes, (void *)1));
	among_threads(other_thread(passes, (void *)1));
	from_elsewhere();
	among_threads(fifo_thread(20, passes, (void *)1));
	without_a_unit();
	many();
	other_memory(other);
	beside(SIGSTOP, 1);
	beside(SIGKILL, 0);
	return 0;
}
