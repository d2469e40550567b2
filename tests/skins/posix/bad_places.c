/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task waits, and the address for its result leads nowhere: EFAULT, and the result is lost, as in
 * Linux. The sender does not notice that. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static void *page;
static sigset_t set;
static mqd_t queue;
static int event, epoll;
static pthread_t waiter;
static atomic_int reached; /* the stage that it has reached */

#define TELL(expression) \
	(errno = 0, printf("%s = %ld", #expression, (long)(expression)), printf(", %d\n", errno))

static void *wait_here(void *argument)
{
	struct pollfd *files = argument;
	char text[16];
	unsigned priority;

	SHOW(is_task_if_expected());
	TELL(mq_receive(queue, page, sizeof(text), NULL));
	atomic_store(&reached, 1);
	TELL(mq_receive(queue, text, sizeof(text), page));
	atomic_store(&reached, 2);
	TELL(mq_receive(queue, text, sizeof(text), &priority));
	SHOW(priority);
	atomic_store(&reached, 3);
	TELL(sigtimedwait(&set, page, NULL));
	atomic_store(&reached, 4);
	TELL(read(event, page, 8));
	atomic_store(&reached, 5);
	TELL(poll(files, 1, -1));
	TELL(epoll_wait(epoll, page, 1, -1));
	TELL(poll(page, 1, -1));
	atomic_store(&reached, 6);
	TELL(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){100, 0}, page));
	atomic_store(&reached, 7);
	return NULL;
}

static void heard(int signal)
{
	(void)signal;
}

static void wait_for(int step)
{
	while (atomic_load(&reached) < step)
		usleep(1000);
	usleep(20000); /* usually it waits by then; otherwise it finds what was sent */
}

static void *give(void *refused)
{
	const uint64_t one = 1;

	for (int i = 0; i < 3; i++) {
		wait_for(i);
		*(int *)refused += mq_send(queue, "message", 8, 5) != 0;
	}
	wait_for(3);
	*(int *)refused += pthread_kill(waiter, SIGUSR1) != 0;
	wait_for(4);
	*(int *)refused += write(event, &one, 8) != 8;
	wait_for(5);
	*(int *)refused += write(event, &one, 8) != 8;
	for (wait_for(6); atomic_load(&reached) < 7; usleep(1000))
		*(int *)refused += pthread_kill(waiter, SIGUSR2) != 0;
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = heard};
	struct mq_attr small = {.mq_maxmsg = 4, .mq_msgsize = 16};
	struct epoll_event in = {.events = EPOLLIN};
	struct pollfd *files;
	pthread_t giver;
	int refused = 0;
	char name[32];

	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	files = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	snprintf(name, sizeof(name), "/tactus-places-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &small);
	mq_unlink(name);
	event = eventfd(0, 0);
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, event, &in);
	*files = (struct pollfd){event, POLLIN, 0};
	mprotect(files, 4096, PROT_READ);
	sigaction(SIGUSR2, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	waiter = fifo_thread(50, wait_here, files);
	giver = fifo_thread(40, give, &refused);
	joined(giver);
	joined(waiter);
	SHOW(refused);
	return 0;
}
