/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timerfd and eventfd of real-time threads: their results and instants. */
#include "files.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/select.h>

static void expires(clockid_t clock)
{
	int fd = timerfd_create(clock, TFD_CLOEXEC);
	struct itimerspec when = {{0, 2 * MS}, later(clock, 3 * MS)}, told, none = {0};
	uint64_t start = now_ns(clock);
	long sum = 0;
	char small[4];

	SHOW(set_in(fd, 2 * MS, 0));
	SHOW(taken(fd));
	SHOW(now_ns(clock) >= start + 2 * MS);
	SHOW(!timerfd_gettime(fd, &told) && !told.it_value.tv_nsec && !told.it_interval.tv_nsec);
	SHOW(timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL));
	while (sum < 10)
		sum += taken(fd);
	SHOW(now_ns(clock) >= start + 3 * MS + 9 * 2 * MS);
	SHOW(!timerfd_gettime(fd, &told) && told.it_interval.tv_nsec == 2 * MS &&
	     told.it_value.tv_nsec <= 2 * MS);
	usleep(20000);
	SHOW(taken(fd) >= 8);
	SHOW(read(fd, small, sizeof(small)) < 0 ? errno : 0);
	usleep(5000);
	SHOW(timerfd_settime(fd, 0, &none, &told) || told.it_interval.tv_nsec != 2 * MS);
	SHOW(is_ready(fd, 5));
	fcntl(fd, F_SETFL, O_NONBLOCK);
	SHOW(taken(fd));
	SHOW(set_in(fd, 1, 0) || is_ready(fd, 1000) != 1 || taken(fd) != 1);
	when.it_value.tv_nsec = 1000000000;
	SHOW(timerfd_settime(fd, 0, &when, NULL) ? errno : 0);
	SHOW(close(fd));
	SHOW(taken(fd));
}

static void counts(void)
{
	int fd = eventfd(3, EFD_CLOEXEC), one_by_one = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
	eventfd_t value = 0;

	SHOW(taken(fd));
	SHOW(given(fd, 4) || given(fd, 5));
	SHOW(is_ready(fd, 0));
	SHOW(taken(fd));
	SHOW(is_ready(fd, 1));
	SHOW(eventfd_write(fd, 7) || eventfd_read(fd, &value) || value != 7);
	SHOW(given(fd, UINT64_MAX));
	SHOW(given(fd, UINT64_MAX - 1));
	fcntl(fd, F_SETFL, O_NONBLOCK);
	SHOW(given(fd, 1));
	SHOW(taken(fd) == (long)(UINT64_MAX - 1));
	SHOW(taken(fd));
	SHOW(is_ready(one_by_one, -1));
	SHOW(given(one_by_one, 1));
	for (int i = 0; i < 4; i++)
		SHOW(taken(one_by_one));
	close(fd);
	close(one_by_one);
}

/* A timer, a counter and a wait for both, in each possible way. */
static void waits(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), counter = eventfd(0, 0);
	struct pollfd both[] = {{timer, POLLIN, 0}, {counter, POLLIN | POLLOUT, 0}, {-1, 1, 1}};
	struct timespec second = {1, 0};
	struct timeval left = {1, 0};
	struct epoll_event event = {.events = EPOLLIN}, told[4];
	int set = epoll_create1(EPOLL_CLOEXEC);
	fd_set files;

	SHOW(poll(both, 3, -1) == 1 && !both[0].revents && both[1].revents == POLLOUT);
	both[1].events = POLLIN;
	SHOW(poll(both, 3, 5) + both[0].revents + both[1].revents + both[2].revents);
	set_in(timer, 2 * MS, 0);
	SHOW(ppoll(both, 3, &second, NULL) == 1 && both[0].revents == POLLIN);
	SHOW(taken(timer));
	given(counter, 9);
	FD_ZERO(&files);
	FD_SET(timer, &files);
	FD_SET(counter, &files);
	SHOW(select(counter + 1, &files, NULL, NULL, &left) == 1 && FD_ISSET(counter, &files) &&
	     !FD_ISSET(timer, &files) && left.tv_sec + left.tv_usec >= 500000);
	SHOW(taken(counter));
	/* Nothing is reported about descriptors that are not in the request. */
	FD_ZERO(&files);
	FD_SET(counter, &files);
	FD_SET(counter + 1, &files);
	left = (struct timeval){0, 1000};
	SHOW(select(counter + 1, &files, NULL, NULL, &left) + FD_ISSET(counter + 1, &files));
	event.data.u64 = 1;
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event));
	event.data.u64 = 2;
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, counter, &event));
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, counter, &event) ? errno : 0);
	SHOW(epoll_wait(set, told, 4, 5));
	set_in(timer, 2 * MS, 2 * MS);
	SHOW(epoll_wait(set, told, 4, -1) == 1 && told[0].data.u64 == 1 &&
	     told[0].events == EPOLLIN);
	given(counter, 1);
	SHOW(epoll_wait(set, told, 4, -1) == 2 && told[0].data.u64 + told[1].data.u64 == 3);
	SHOW(epoll_wait(set, told, 1, -1));
	SHOW(taken(counter));
	SHOW(taken(timer) >= 1);
	SHOW(epoll_ctl(set, EPOLL_CTL_DEL, timer, NULL));
	SHOW(epoll_wait(set, told, 4, 5));
	SHOW(is_ready(timer, -1));
	SHOW(epoll_ctl(set, EPOLL_CTL_DEL, timer, NULL) ? errno : 0);
	close(timer);
	close(counter);
	SHOW(epoll_wait(set, told, 4, 1));
	close(set);
}

/* A descriptor that Linux refuses to close stays unchanged. */
static void refused(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(0, 0);

	SHOW(is_ready(event, 1));
	SHOW(given(event, 3));
	SHOW(set_in(fd, 1 * MS, 0));
	SHOW(close_range((unsigned)fd, (unsigned)fd - 1, 0) ? errno : 0);
	SHOW(close_range((unsigned)fd, (unsigned)event, 1 << 20) ? errno : 0);
	SHOW(taken(fd));
	SHOW(taken(event));
	SHOW(close_range((unsigned)fd, (unsigned)event, 0));
	SHOW(taken(fd));
	SHOW(taken(event));
}

static int shared;

static void *give_later(void *value)
{
	usleep(3000);
	given(shared, (uint64_t)(uintptr_t)value);
	return NULL;
}

static void *take_there(void *unused)
{
	(void)unused;
	return (void *)taken(shared);
}

static void *wait_there(void *unused)
{
	(void)unused;
	return (void *)(intptr_t)is_ready(shared, 5000);
}

static int growing;

static void *add_later(void *unused)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = 5};

	(void)unused;
	usleep(3000);
	return (void *)(intptr_t)epoll_ctl(growing, EPOLL_CTL_ADD, shared, &event);
}

/* A member is added while a task waits for the others. */
static void grows(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct epoll_event event = {.events = EPOLLIN}, told;
	pthread_t other;

	shared = eventfd(1, 0);
	growing = epoll_create1(0);
	epoll_ctl(growing, EPOLL_CTL_ADD, timer, &event);
	other = other_thread(add_later, NULL);
	SHOW(epoll_wait(growing, &told, 1, 5000) == 1 && told.data.u64 == 5);
	SHOW((long)joined(other));
	close(growing);
	close(shared);
	close(timer);
}

/* Linux threads beside the task that waits. */
static void with_linux_threads(void)
{
	pthread_t other;

	shared = eventfd(0, 0);
	other = other_thread(give_later, (void *)6);
	SHOW(taken(shared));
	joined(other);
	other = other_thread(take_there, NULL);
	usleep(3000);
	given(shared, 8);
	SHOW((long)joined(other));
	other = other_thread(wait_there, NULL);
	usleep(3000);
	given(shared, 8);
	SHOW((long)joined(other));
	SHOW(taken(shared));
	close(shared);
	shared = timerfd_create(CLOCK_MONOTONIC, 0);
	set_in(shared, 1 * MS, 0);
	SHOW(taken(shared));
	set_in(shared, 20 * MS, 0);
	other = other_thread(wait_there, NULL);
	SHOW((long)joined(other));
	SHOW(taken(shared));
	set_in(shared, 20 * MS, 0);
	other = other_thread(take_there, NULL);
	SHOW((long)joined(other));
	close(shared);
}

static _Atomic int setters;

static void *set_often(void *seconds)
{
	setters++;
	while (setters % 2)
		;
	for (int i = 0; i < 20; i++)
		set_in(shared, (uint64_t)(uintptr_t)seconds * 1000 * MS, 0);
	return NULL;
}

/* Two Linux threads set it at the same time: whichever was last, a task waits for that setting. */
static void set_by_two(void)
{
	int wrong = 0;

	for (int i = 0; i < 100; i++) {
		struct itimerspec there, here;
		pthread_t one, two;

		shared = timerfd_create(CLOCK_MONOTONIC, 0);
		one = other_thread(set_often, (void *)100);
		two = other_thread(set_often, (void *)200);
		joined(one);
		joined(two);
		timerfd_gettime(shared, &there);
		wrong += is_ready(shared, 0);
		timerfd_gettime(shared, &here);
		wrong += there.it_value.tv_sec - here.it_value.tv_sec > 50 ||
			 here.it_value.tv_sec - there.it_value.tv_sec > 50;
		close(shared);
	}
	SHOW(wrong);
}

static void *real_time(void *unused)
{
	(void)unused;
	SHOW(is_task_if_expected());
	expires(CLOCK_MONOTONIC);
	expires(CLOCK_REALTIME);
	counts();
	waits();
	refused();
	grows();
	with_linux_threads();
	set_by_two();
	return NULL;
}

static void *cancelled(void *fd)
{
	taken((int)(intptr_t)fd);
	return NULL;
}

int main(void)
{
	int fd = eventfd(0, 0);
	pthread_t waiting;

	joined(fifo_thread(20, real_time, NULL));
	waiting = fifo_thread(20, cancelled, (void *)(intptr_t)fd);
	usleep(5000);
	pthread_cancel(waiting);
	SHOW(joined(waiting) == PTHREAD_CANCELED);
	given(fd, 2);
	SHOW(taken(fd));
	return 0;
}
