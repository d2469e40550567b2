/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sets of a real-time thread that report edges: each one once, and none twice. */
#include "files.h"

#include <sys/epoll.h>

/* Reported once each time: written anew, expired anew, or requested anew. */
static void edges(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), counter = eventfd(0, 0), other;
	struct epoll_event event = {.events = EPOLLIN | EPOLLET}, told[2];
	int set = epoll_create1(0);

	event.data.u64 = 1;
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event));
	event.data.u64 = 2;
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, counter, &event));
	SHOW(given(counter, 1));
	SHOW(epoll_wait(set, told, 2, 1000) == 1 && told[0].data.u64 == 2);
	SHOW(epoll_wait(set, told, 2, 3));
	SHOW(given(counter, 1) || epoll_wait(set, told, 2, 1000) != 1);
	SHOW(epoll_ctl(set, EPOLL_CTL_MOD, counter, &event));
	SHOW(epoll_wait(set, told, 2, 1000) + epoll_wait(set, told, 2, 3));
	SHOW(set_in(timer, 2 * MS, 0) || epoll_wait(set, told, 2, 1000) != 1 ||
	     told[0].data.u64 != 1 || epoll_wait(set, told, 2, 3));
	set_in(timer, 2 * MS, 2 * MS);
	SHOW(epoll_wait(set, told, 2, 1000) + epoll_wait(set, told, 2, 5));
	SHOW(taken(timer) >= 2 && taken(counter) == 2);
	SHOW(epoll_wait(set, told, 2, 1000));
	set_in(timer, 0, 0);
	SHOW(epoll_wait(set, told, 2, 3));
	/* Each read makes room, which is an edge for a thread that waits for room. */
	event.events = EPOLLIN | EPOLLOUT | EPOLLET;
	SHOW(epoll_ctl(set, EPOLL_CTL_MOD, counter, &event));
	SHOW(epoll_wait(set, told, 2, 1000) == 1 && told[0].events == EPOLLOUT);
	SHOW(epoll_wait(set, told, 2, 3));
	SHOW(given(counter, 3) || epoll_wait(set, told, 2, 1000) != 1);
	SHOW(told[0].events == (EPOLLIN | EPOLLOUT));
	SHOW(taken(counter) == 3 && epoll_wait(set, told, 2, 1000) == 1);
	SHOW(told[0].events == EPOLLOUT);
	SHOW(epoll_wait(set, told, 2, 3));
	event.events = EPOLLIN | EPOLLET;
	SHOW(epoll_ctl(set, EPOLL_CTL_MOD, counter, &event));
	other = eventfd(1, 0);
	event.data.u64 = 3;
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, other, &event));
	given(counter, 1);
	SHOW(epoll_wait(set, told, 1, 1000) + epoll_wait(set, told, 1, 1000) +
	     epoll_wait(set, told, 1, 3));
	close(timer);
	close(counter);
	close(other);
	close(set);
}

/* Each expiry is an edge, also at an instant that the timer had before. */
static void edges_of_one_instant(void)
{
	const struct itimerspec past = {.it_value = {.tv_nsec = 1}};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN | EPOLLET}, told;

	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event));
	for (int read_first = 0; read_first < 2; read_first++)
		for (int i = 0; i < 3; i++) {
			SHOW(timerfd_settime(timer, TFD_TIMER_ABSTIME, &past, NULL));
			SHOW(epoll_wait(set, &told, 1, 1000));
			SHOW(epoll_wait(set, &told, 1, 3));
			if (read_first)
				SHOW(taken(timer));
		}
	close(timer);
	close(set);
}

static void *real_time(void *unused)
{
	SHOW(is_task_if_expected());
	edges();
	edges_of_one_instant();
	return unused;
}

int main(void)
{
	joined(fifo_thread(20, real_time, NULL));
	return 0;
}
