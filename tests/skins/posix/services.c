/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Other services of POSIX for threads, used by real-time ones: they work as usual. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "check.h"

#define MS 1000000u

static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static long shared;

static void only_once(void)
{
	printf("once\n");
	fflush(stdout);
}

/* One preempts the other while that owns the lock: it does not hang, on one CPU or two. */
static void *spins(void *argument)
{
	for (int i = 0; i < 300; i++) {
		pthread_spin_lock(&spin);
		shared++;
		if (i % 50 == 0)
			usleep(10);
		pthread_spin_unlock(&spin);
	}
	return argument;
}

static void two_that_spin(void)
{
	pthread_t threads[2];

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	shared = 0;
	for (int i = 0; i < 2; i++)
		threads[i] = fifo_thread(20 + i * 20, spins, NULL);
	for (int i = 0; i < 2; i++)
		joined(threads[i]);
	SHOW(shared);
	SHOW(pthread_spin_destroy(&spin));
}

/* Only one of them is real-time: in glibc 2.36 a reader spins while a writer is between its two
 * words, so on Linux two readers above that writer occupy two CPUs for ever. */
static void *locks(void *argument)
{
	for (int i = 0; i < 300; i++) {
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		pthread_rwlock_wrlock(&rwlock);
		shared++;
		pthread_rwlock_unlock(&rwlock);
	}
	pthread_once(&once, only_once);
	pthread_barrier_wait(&barrier);
	return argument;
}

static void together(void)
{
	pthread_t threads[5];
	int last = 0;

	pthread_barrier_init(&barrier, NULL, 6);
	pthread_rwlock_init(&rwlock, NULL);
	shared = 0;
	for (int i = 0; i < 5; i++)
		threads[i] = i < 1 ? fifo_thread(20, locks, NULL) : other_thread(locks, NULL);
	last = pthread_barrier_wait(&barrier);
	SHOW(last == 0 || last == PTHREAD_BARRIER_SERIAL_THREAD);
	for (int i = 0; i < 5; i++)
		joined(threads[i]);
	SHOW(shared);
	SHOW(pthread_barrier_destroy(&barrier));
	SHOW(pthread_rwlock_destroy(&rwlock));
}

static void files(void)
{
	struct timeval interval = {.tv_usec = 2000};
	struct itimerspec soon = {.it_value = {.tv_nsec = 2 * MS}};
	struct epoll_event event = {.events = EPOLLIN};
	uint64_t value = 3, begin = now_ns(CLOCK_MONOTONIC);
	int ends[2], timer, counter, epoll;
	struct pollfd look = {.events = POLLIN};
	volatile nfds_t too_many = 1u << 30; /* the compiler would notice */
	char byte = 0;
	fd_set set;

	SHOW(pipe(ends));
	look.fd = ends[0];
	SHOW(poll(&look, 1, 2));
	SHOW(poll(NULL, 0, 2));
	SHOW(poll(&look, too_many, 2));
	SHOW(errno);
	SHOW(select(0, NULL, NULL, NULL, &interval));
	SHOW(now_ns(CLOCK_MONOTONIC) - begin >= 6 * MS);
	SHOW(write(ends[1], "x", 1));
	SHOW(poll(&look, 1, -1));
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	SHOW(select(ends[0] + 1, &set, NULL, NULL, NULL));
	SHOW(read(ends[0], &byte, 1));
	SHOW(byte);
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	SHOW(timerfd_settime(timer, 0, &soon, NULL));
	SHOW(read(timer, &value, sizeof(value)));
	SHOW(value);
	counter = eventfd(0, 0);
	epoll = epoll_create1(0);
	SHOW(epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &event));
	SHOW(epoll_wait(epoll, &event, 1, 2));
	SHOW(write(counter, &value, sizeof(value)));
	SHOW(epoll_wait(epoll, &event, 1, -1));
	SHOW(read(counter, &value, sizeof(value)));
	close(timer);
	close(counter);
	close(epoll);
	close(ends[0]);
	close(ends[1]);
}

static void *sends(void *queue)
{
	usleep(5000);
	mq_send(*(mqd_t *)queue, "late", 5, 3);
	return NULL;
}

static void queues(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 16};
	struct timespec until = later(CLOCK_REALTIME, 3 * MS);
	char name[32], text[16] = "";
	unsigned priority = 0;
	pthread_t thread;
	mqd_t queue;

	snprintf(name, sizeof(name), "/tactus-test-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	SHOW(queue == (mqd_t)-1);
	SHOW(mq_timedreceive(queue, text, sizeof(text), NULL, &until));
	SHOW(errno);
	SHOW(mq_send(queue, "low", 4, 1));
	SHOW(mq_send(queue, "high", 5, 9));
	SHOW(mq_timedsend(queue, "none", 5, 9, &until));
	SHOW(errno);
	SHOW(mq_receive(queue, text, sizeof(text), &priority));
	printf("%s %u\n", text, priority);
	SHOW(mq_receive(queue, text, sizeof(text), &priority));
	printf("%s %u\n", text, priority);
	SHOW(mq_receive(queue, text, 1, NULL));
	SHOW(errno);
	thread = fifo_thread(40, sends, &queue);
	SHOW(mq_receive(queue, text, sizeof(text), &priority));
	printf("%s %u\n", text, priority);
	joined(thread);
	SHOW(mq_close(queue));
	SHOW(mq_unlink(name));
}

static void *run(void *argument)
{
	(void)argument;
	two_that_spin();
	together();
	files();
	queues();
	SHOW(is_task_if_expected());
	return NULL;
}

int main(void)
{
	joined(fifo_thread(50, run, NULL));
	return 0;
}
