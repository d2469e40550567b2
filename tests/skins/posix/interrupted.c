/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls that the handler of a signal interrupts are over before it runs: what the handler provides
 * for them is for the next call, not for this one. Whether a call continues (SA_RESTART) depends on
 * the handler that has run, whatever other handlers there are.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "check.h"

static sem_t sem, over;
static mqd_t queue;
static int event, other_event;
static sigset_t awaited;
static atomic_int waits;

static long wait_for_sem(void)
{
	return sem_wait(&sem);
}

/* It never continues. */
static long wait_long_for_sem(void)
{
	struct timespec until = later(CLOCK_REALTIME, 100000000000u);

	return sem_timedwait(&sem, &until);
}

static void post(void)
{
	sem_post(&sem);
}

static long wait_for_message(void)
{
	char text[16];

	return mq_receive(queue, text, sizeof(text), NULL);
}

static void send_message(void)
{
	mq_send(queue, "handler", 8, 1);
}

static long read_event(void)
{
	uint64_t value = 0;

	return read(event, &value, sizeof(value)) < 0 ? -1 : (long)value;
}

static long poll_event(void)
{
	struct pollfd file = {.fd = event, .events = POLLIN};

	return poll(&file, 1, -1) < 0 ? -1 : read_event();
}

static void write_event(void)
{
	const uint64_t three = 3;

	(void)!write(event, &three, sizeof(three));
}

/* With its own wait, for something else that is ready. */
static void write_event_and_poll(void)
{
	struct pollfd other = {.fd = other_event, .events = POLLIN};

	write_event();
	(void)poll(&other, 1, 1);
}

static long wait_for_signal(void)
{
	return sigwaitinfo(&awaited, NULL);
}

static void send_signal(void)
{
	kill(getpid(), SIGRTMIN);
}

static const struct way {
	const char *name;
	long (*wait)(void);
	void (*serve)(void);
} ways[] = {
	{"semaphore", wait_for_sem, post},
	{"semaphore, with a limit", wait_long_for_sem, post},
	{"queue", wait_for_message, send_message},
	{"read", read_event, write_event},
	{"poll", poll_event, write_event},
	{"poll, and another in the handler", poll_event, write_event_and_poll},
	{"signal", wait_for_signal, send_signal},
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static const struct way *way;

static void serve(int signal)
{
	(void)signal;
	way->serve();
}

/* Another thread that the handler lets continue. */
static void let_serve(int signal)
{
	(void)signal;
	sem_post(&over);
	usleep(1000);
}

static void *serves(void *unused)
{
	sem_wait(&over);
	way->serve();
	return unused;
}

static void nothing(int signal)
{
	(void)signal;
}

static void handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(signal, &action, NULL);
}

static void *interrupts(void *thread)
{
	while (!atomic_load(&waits))
		usleep(100);
	usleep(30000);
	pthread_kill(*(pthread_t *)thread, SIGUSR1);
	return NULL;
}

static void interrupt(const char *how)
{
	pthread_t self = pthread_self();
	pthread_t other;
	long result;

	atomic_store(&waits, 0);
	other = other_thread(interrupts, &self);
	errno = 0;
	atomic_store(&waits, 1);
	result = way->wait();
	printf("%s, %s: %ld %d\n", way->name, how, result, errno);
	fflush(stdout);
	joined(other);
	/* The rest. */
	if (result < 0)
		SHOW(way->wait());
}

static void *run(void *argument)
{
	pthread_t server;

	SHOW(is_task_if_expected());
	for (size_t i = 0; i < WAYS; i++) {
		way = &ways[i];
		handle(SIGUSR1, serve, 0);
		interrupt("served by the handler");
		handle(SIGUSR1, let_serve, 0);
		server = fifo_thread(60, serves, NULL);
		interrupt("served because of the handler");
		joined(server);
		/* There is also a handler that would end the call. */
		handle(SIGUSR2, nothing, 0);
		handle(SIGUSR1, serve, SA_RESTART);
		interrupt("goes on");
	}
	SHOW(is_task_if_expected());
	return argument;
}

int main(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
	char name[32];

	snprintf(name, sizeof(name), "/tactus-interrupted-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	mq_unlink(name);
	sem_init(&sem, 0, 0);
	sem_init(&over, 0, 0);
	event = eventfd(0, 0);
	other_event = eventfd(1, 0);
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &awaited, NULL);
	joined(fifo_thread(50, run, NULL));
	return 0;
}
