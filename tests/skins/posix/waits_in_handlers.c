/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers sleep, or wait for a descriptor, while their thread is on its way into its own wait,
 * from Linux: that wait misses nothing, whenever the signal comes. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define ROUNDS 20000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t asked, answered;
static atomic_bool over;
static int event, turn;

static void handle(int signal)
{
	const int error = errno;
	const struct timespec moment = {.tv_nsec = 20000};
	struct pollfd file = {.fd = event, .events = POLLIN};

	(void)signal;
	(void)ppoll(&file, turn % 2, &moment, NULL);
	errno = error;
}

static void take(sem_t *sem)
{
	while (sem_wait(sem) && errno == EINTR)
		;
}

static void *answers(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		syscall(SYS_getppid);
		if (i % 3 == 0) {
			take(&asked);
		} else {
			pthread_mutex_lock(&mutex);
			while (i % 3 == 2 && turn <= i)
				pthread_cond_wait(&cond, &mutex);
			pthread_mutex_unlock(&mutex);
		}
		sem_post(&answered);
	}
	return unused;
}

/* Sometimes early, sometimes late. */
static void *shakes(void *thread)
{
	unsigned seed = 1;

	while (!atomic_load(&over)) {
		pthread_kill(*(pthread_t *)thread, SIGUSR1);
		usleep(60 + rand_r(&seed) % 100);
	}
	return NULL;
}

static long ask_often(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		const struct timespec then = later(CLOCK_REALTIME, 5000000000u);

		if (i % 3 == 0)
			sem_post(&asked);
		pthread_mutex_lock(&mutex);
		turn = i + 1;
		if (i % 3 == 2)
			pthread_cond_signal(&cond);
		pthread_mutex_unlock(&mutex);
		while (sem_timedwait(&answered, &then))
			if (errno != EINTR)
				return i;
	}
	return ROUNDS;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	pthread_t answerer, shaker;
	long answers_got;

	event = eventfd(0, 0);
	sem_init(&asked, 0, 0);
	sem_init(&answered, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	answerer = fifo_thread(20, answers, NULL);
	shaker = other_thread(shakes, &answerer);
	answers_got = ask_often();
	atomic_store(&over, true);
	SHOW(answers_got == ROUNDS);
	joined(shaker);
	if (answers_got == ROUNDS)
		joined(answerer);
	return 0;
}
