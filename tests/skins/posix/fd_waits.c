/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each call that waits for descriptors, with each kind of descriptor: a descriptor that is ready,
 * one that is not ready before the timeout, one that becomes ready meanwhile, and what ends the
 * wait. Then an eventfd that a real-time thread waits for moves to Linux in the middle of the wait:
 * by a second number, by a fork, by a thread that waits for it in Linux.
 */
#define _GNU_SOURCE
#include "files.h"

#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define LIMIT_MS 20
#define LONG_MS  5000

/* The descriptors of a wait, and its timeout; -1: for ever. A call returns how many can be read, or
 * -errno. */
struct asked {
	int fds[2], count;
	int timeout_ms;
	int epoll;
};

static long outcome(int result)
{
	return result < 0 ? -errno : result;
}

static struct timespec *duration(const struct asked *asked, struct timespec *place)
{
	*place = (struct timespec){asked->timeout_ms / 1000, asked->timeout_ms % 1000 * (long)MS};
	return asked->timeout_ms < 0 ? NULL : place;
}

static void name(const struct asked *asked, struct pollfd files[2])
{
	for (int i = 0; i < asked->count; i++)
		files[i] = (struct pollfd){asked->fds[i], POLLIN, 0};
}

static long by_poll(const struct asked *asked)
{
	struct pollfd files[2];

	name(asked, files);
	return outcome(poll(files, (nfds_t)asked->count, asked->timeout_ms));
}

static long by_ppoll(const struct asked *asked)
{
	struct pollfd files[2];
	struct timespec time;

	name(asked, files);
	return outcome(ppoll(files, (nfds_t)asked->count, duration(asked, &time), NULL));
}

static int sets_of(const struct asked *asked, fd_set *set)
{
	int most = -1;

	FD_ZERO(set);
	for (int i = 0; i < asked->count; i++) {
		FD_SET(asked->fds[i], set);
		most = asked->fds[i] > most ? asked->fds[i] : most;
	}
	return most + 1;
}

/* Linux tells what is left of the time. */
static long by_select(const struct asked *asked)
{
	struct timeval time = {asked->timeout_ms / 1000, asked->timeout_ms % 1000 * 1000L};
	const int timed = asked->timeout_ms >= 0;
	fd_set set;
	const int result = select(sets_of(asked, &set), &set, NULL, NULL, timed ? &time : NULL);
	const long left_us = time.tv_sec * 1000000L + time.tv_usec;
	const int error = errno;

	if (timed && (result ? left_us > asked->timeout_ms * 1000L : left_us != 0))
		printf("%ld us are left\n", left_us);
	errno = error;
	return outcome(result);
}

static long by_pselect(const struct asked *asked)
{
	struct timespec time;
	fd_set set;

	return outcome(
		pselect(sets_of(asked, &set), &set, NULL, NULL, duration(asked, &time), NULL));
}

static long by_epoll_wait(const struct asked *asked)
{
	struct epoll_event found[2];

	return outcome(epoll_wait(asked->epoll, found, 2, asked->timeout_ms));
}

static long by_epoll_pwait(const struct asked *asked)
{
	struct epoll_event found[2];

	return outcome(epoll_pwait(asked->epoll, found, 2, asked->timeout_ms, NULL));
}

static long by_epoll_pwait2(const struct asked *asked)
{
	struct epoll_event found[2];
	struct timespec time;

	return outcome(epoll_pwait2(asked->epoll, found, 2, duration(asked, &time), NULL));
}

static const struct call {
	const char *name;
	long (*wait)(const struct asked *asked);
} calls[] = {
	{"poll", by_poll},
	{"ppoll", by_ppoll},
	{"select", by_select},
	{"pselect", by_pselect},
	{"epoll_wait", by_epoll_wait},
	{"epoll_pwait", by_epoll_pwait},
	{"epoll_pwait2", by_epoll_pwait2},
};
#define CALLS (sizeof(calls) / sizeof(calls[0]))

/* A kind of descriptor: how it is made, and what makes it ready. */
static struct {
	int event, timer, signals, pipe[2], pair[2];
	mqd_t queue;
} own;

static void give_event(void)
{
	given(own.event, 1);
}

static void give_timer(void)
{
	set_in(own.timer, 1000, 0);
}

static void give_signal(void)
{
	kill(getpid(), SIGUSR2);
}

static void give_pipe(void)
{
	(void)!write(own.pipe[1], "x", 1);
}

static void give_socket(void)
{
	(void)!write(own.pair[1], "x", 1);
}

static void give_message(void)
{
	mq_send(own.queue, "x", 1, 0);
}

static void empty(int fd)
{
	char text[256];

	while (read(fd, text, sizeof(text)) > 0)
		;
}

static void empty_message(int fd)
{
	char text[64];

	mq_receive(fd, text, sizeof(text), NULL);
}

static struct kind {
	const char *name;
	int *fd;
	void (*give)(void);
	void (*empty)(int fd);
} kinds[] = {
	{"eventfd", &own.event, give_event, empty},
	{"timerfd", &own.timer, give_timer, empty},
	{"signalfd", &own.signals, give_signal, empty},
	{"pipe", &own.pipe[0], give_pipe, empty},
	{"socket", &own.pair[0], give_socket, empty},
	{"queue", &own.queue, give_message, empty_message},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void make_all(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 64};
	char queue[32];
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	snprintf(queue, sizeof(queue), "/fd_waits.%d", getpid());
	own.event = eventfd(0, EFD_NONBLOCK);
	own.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	own.signals = signalfd(-1, &signals, SFD_NONBLOCK);
	own.queue = mq_open(queue, O_RDWR | O_CREAT | O_NONBLOCK, 0600, &attributes);
	mq_unlink(queue);
	if (pipe2(own.pipe, O_NONBLOCK) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, own.pair) || own.queue < 0)
		exit(1);
}

static void ask_for(struct asked *asked, int first, int second)
{
	struct epoll_event event = {.events = EPOLLIN};

	*asked = (struct asked){.fds = {first, second}, .count = second < 0 ? 1 : 2};
	asked->epoll = epoll_create1(0);
	for (int i = 0; i < asked->count; i++)
		epoll_ctl(asked->epoll, EPOLL_CTL_ADD, asked->fds[i], &event);
}

static bool lasts(const struct call *call, struct asked *asked, long *result)
{
	const uint64_t begun = now_ns(CLOCK_MONOTONIC);
	uint64_t took_ns;

	asked->timeout_ms = LIMIT_MS;
	*result = call->wait(asked);
	took_ns = now_ns(CLOCK_MONOTONIC) - begun;
	return took_ns >= LIMIT_MS * (uint64_t)MS;
}

static _Atomic(const struct kind *) to_give;
static _Atomic int gives;

/* Makes the awaited descriptor ready, a while later. */
static void *helper(void *unused)
{
	while (atomic_load(&gives)) {
		const struct kind *kind = atomic_exchange(&to_give, NULL);
		const struct timespec pause = {.tv_nsec = 2 * MS};

		nanosleep(&pause, NULL);
		if (kind)
			kind->give();
	}
	return unused;
}

/* Wait for it with a second one of another kind, or alone. */
static void wait_for(const struct kind *kind, const struct kind *beside)
{
	struct asked asked;

	ask_for(&asked, *kind->fd, beside ? *beside->fd : -1);
	for (unsigned i = 0; i < CALLS; i++) {
		long none, at_once, late, later;
		bool in_time;

		asked.timeout_ms = 0;
		none = calls[i].wait(&asked);
		in_time = lasts(&calls[i], &asked, &late);
		atomic_store(&to_give, kind);
		asked.timeout_ms = LONG_MS;
		later = calls[i].wait(&asked);
		asked.timeout_ms = -1;
		at_once = calls[i].wait(&asked);
		kind->empty(*kind->fd);
		printf("%s of %s%s%s: %ld, %ld %s, %ld, %ld\n", calls[i].name, kind->name,
		       beside ? " and " : "", beside ? beside->name : "", none, late,
		       in_time ? "in time" : "early", later, at_once);
	}
	close(asked.epoll);
}

static void *waits_for_each(void *unused)
{
	SHOW(is_task_if_expected());
	for (unsigned i = 0; i < KINDS; i++) {
		wait_for(&kinds[i], NULL);
		wait_for(&kinds[i], &kinds[(i + 1) % KINDS]);
	}
	return unused;
}

static void handle(int signal)
{
	(void)signal;
}

static _Atomic pthread_t waiting;
static _Atomic int ends;

/* Many signals, because one may come before the wait. */
static void *interrupts(void *unused)
{
	const struct timespec often = {.tv_nsec = 3 * MS};

	while (!atomic_load(&ends)) {
		nanosleep(&often, NULL);
		pthread_kill(atomic_load(&waiting), SIGUSR1);
	}
	return unused;
}

/* A signal ends the wait, also for a resident descriptor. */
static void *is_interrupted(void *unused)
{
	pthread_t other;
	struct asked asked;

	atomic_store(&waiting, pthread_self());
	other = other_thread(interrupts, NULL);
	for (unsigned i = 0; i < CALLS; i++) {
		ask_for(&asked, own.event, -1);
		asked.timeout_ms = LONG_MS;
		printf("%s interrupted: %ld\n", calls[i].name, calls[i].wait(&asked));
		close(asked.epoll);
		ask_for(&asked, own.event, own.pipe[0]);
		asked.timeout_ms = LONG_MS;
		printf("%s with a pipe interrupted: %ld\n", calls[i].name, calls[i].wait(&asked));
		close(asked.epoll);
	}
	atomic_store(&ends, 1);
	joined(other);
	return unused;
}

/* Ways to move an eventfd to Linux while a task waits for it. */
static void duplicate(int fd)
{
	const int second = dup(fd);

	given(second, 1);
	close(second);
}

static void fork_and_give(int fd)
{
	const pid_t child = fork();

	if (!child) {
		given(fd, 1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

/* A thread in Linux looks at it before it is written. */
static void look_in_linux(int fd)
{
	is_ready(fd, 2);
	given(fd, 1);
}

static void spawn(int fd)
{
	char *const arguments[] = {"true", NULL};
	pid_t child;

	if (!posix_spawnp(&child, "true", NULL, NULL, arguments, environ))
		waitpid(child, NULL, 0);
	given(fd, 1);
}

static void write_by_vector(int fd)
{
	uint64_t one = 1;
	struct iovec place = {&one, sizeof(one)};

	(void)!writev(fd, &place, 1);
}

static const struct move {
	const char *name;
	void (*make)(int fd);
} moves[] = {
	{"dup", duplicate},      {"fork", fork_and_give},     {"spawn", spawn},
	{"poll", look_in_linux}, {"writev", write_by_vector},
};

struct mover {
	const struct move *move;
	int fd;
};

static void *moves_it(void *of)
{
	const struct timespec pause = {.tv_nsec = 3 * MS};
	const struct mover *mover = of;

	nanosleep(&pause, NULL);
	mover->move->make(mover->fd);
	return NULL;
}

static void *is_moved(void *unused)
{
	for (unsigned i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		for (unsigned j = 0; j < CALLS; j++) {
			const int fd = eventfd(0, 0);
			struct mover mover = {&moves[i], fd};
			struct asked asked;
			pthread_t other;
			long found;

			ask_for(&asked, fd, -1);
			asked.timeout_ms = LONG_MS;
			other = other_thread(moves_it, &mover);
			found = calls[j].wait(&asked);
			joined(other);
			printf("%s by %s in the middle: %ld, %ld\n", calls[j].name, moves[i].name,
			       found, taken(fd));
			close(asked.epoll);
			close(fd);
		}
	return unused;
}

/* A Linux thread that waits in Linux finds what a real-time thread writes later. */
struct waiter {
	const struct call *call;
	struct asked asked;
	long found;
};

static void *waits_in_linux(void *of)
{
	struct waiter *waiter = of;

	waiter->found = waiter->call->wait(&waiter->asked);
	return NULL;
}

static void *gives_to_linux(void *unused)
{
	const struct timespec pause = {.tv_nsec = 5 * MS};

	for (unsigned i = 0; i < CALLS; i++) {
		const int fd = eventfd(0, EFD_NONBLOCK);
		struct waiter waiter = {.call = &calls[i]};
		pthread_t other;
		long none;

		ask_for(&waiter.asked, fd, -1);
		waiter.asked.timeout_ms = LONG_MS;
		other = other_thread(waits_in_linux, &waiter);
		nanosleep(&pause, NULL);
		none = taken(fd);
		given(fd, 1);
		joined(other);
		printf("%s in Linux: %ld, %ld, %ld\n", calls[i].name, none, waiter.found,
		       taken(fd));
		close(waiter.asked.epoll);
		close(fd);
	}
	return unused;
}

int main(void)
{
	const struct sigaction action = {.sa_handler = handle};
	pthread_t other;

	make_all();
	sigaction(SIGUSR1, &action, NULL);
	atomic_store(&gives, 1);
	other = other_thread(helper, NULL);
	joined(fifo_thread(10, waits_for_each, NULL));
	atomic_store(&gives, 0);
	joined(other);
	joined(fifo_thread(10, is_interrupted, NULL));
	joined(fifo_thread(10, is_moved, NULL));
	joined(fifo_thread(10, gives_to_linux, NULL));
	return 0;
}
