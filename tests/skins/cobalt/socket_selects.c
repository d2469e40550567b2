/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* select() for real-time sockets and files of Linux together. */
#include "sockets.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>

#define WORD      "a word"
#define SELECTORS 24

static void select_tells_of_sockets_and_files(void)
{
	int fd = bound_socket(IPCPROTO_IDDP, 2);
	struct timeval time = {0, 1000};
	fd_set read_set, write_set;
	int ends[2];

	expect_ok(pipe(ends));
	FD_ZERO(&read_set);
	FD_ZERO(&write_set);
	FD_SET(fd, &read_set);
	FD_SET(ends[0], &read_set);
	FD_SET(fd, &write_set);
	expect_eq(select(FD_SETSIZE, &read_set, &write_set, NULL, NULL), 1);
	expect_true(FD_ISSET(fd, &write_set) && !FD_ISSET(fd, &read_set));
	FD_SET(fd, &read_set);
	FD_SET(ends[0], &read_set);
	expect_eq(select(FD_SETSIZE, &read_set, NULL, NULL, &time), 0);
	expect_true(!FD_ISSET(fd, &read_set) && !FD_ISSET(ends[0], &read_set));
	expect_eq(write(ends[1], "x", 1), 1);
	send_text(fd, 0, WORD);
	FD_SET(fd, &read_set);
	FD_SET(ends[0], &read_set);
	expect_eq(select(FD_SETSIZE, &read_set, NULL, NULL, NULL), 2);
	expect_ok(close(ends[0]));
	expect_ok(close(ends[1]));
	expect_ok(close(fd));
}

static void *send_later(void *fd)
{
	__STD(usleep)(20000);
	send_text(*(const int *)fd, 0, WORD);
	return NULL;
}

static void who_selects_both_is_woken_by_a_socket(void)
{
	int fd = bound_socket(IPCPROTO_IDDP, 2);
	pthread_t sender;
	fd_set set;
	int ends[2];

	expect_ok(pipe(ends));
	FD_ZERO(&set);
	FD_SET(fd, &set);
	FD_SET(ends[0], &set);
	sender = thread_with(SCHED_FIFO, 10, send_later, &fd);
	expect_eq(select(FD_SETSIZE, &set, NULL, NULL, NULL), 1);
	expect_true(FD_ISSET(fd, &set));
	expect_ok(pthread_join(sender, NULL));
	expect_ok(close(ends[0]));
	expect_ok(close(ends[1]));
	expect_ok(close(fd));
}

static int wait_socket, wait_pipe[2];
static _Atomic int waiting;

/* For one of the two, until data come. */
static void *select_both(void *unused)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(wait_socket, &set);
	FD_SET(wait_pipe[0], &set);
	waiting++;
	expect_eq(select(FD_SETSIZE, &set, NULL, NULL, NULL), 1);
	expect_true(FD_ISSET(wait_socket, &set));
	return unused;
}

static int open_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	while (folder && readdir(folder))
		count++;
	if (folder)
		expect_ok(closedir(folder));
	return count;
}

static void cancel_one_who_selects(int policy)
{
	int before = waiting;
	pthread_t thread = thread_with(policy, policy == SCHED_OTHER ? 0 : 10, select_both, NULL);
	void *result = NULL;

	until(waiting > before);
	__STD(usleep)(2000);
	expect_ok(pthread_cancel(thread));
	expect_ok(pthread_join(thread, &result));
	expect_true(result == PTHREAD_CANCELED);
}

static void begin_waits(void)
{
	wait_socket = bound_socket(IPCPROTO_IDDP, 2);
	expect_ok(pipe(wait_pipe));
}

static void end_waits(void)
{
	expect_ok(close(wait_pipe[0]));
	expect_ok(close(wait_pipe[1]));
	expect_ok(close(wait_socket));
}

/* Nothing comes: returns the result. */
static int select_in_vain(void)
{
	struct timeval time = {0, 1000};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(wait_socket, &set);
	FD_SET(wait_pipe[0], &set);
	return select(FD_SETSIZE, &set, NULL, NULL, &time);
}

/* Up to a number that select() does not accept. Returns how many, in filler; Linux may not allow so
 * many. */
static int fill_descriptors(int filler[FD_SETSIZE])
{
	struct rlimit limit;
	int count = 0;

	expect_ok(getrlimit(RLIMIT_NOFILE, &limit));
	if (limit.rlim_cur <= FD_SETSIZE && limit.rlim_max > FD_SETSIZE) {
		limit.rlim_cur = FD_SETSIZE + 1;
		expect_ok(setrlimit(RLIMIT_NOFILE, &limit));
	}
	do
		filler[count++] = dup(wait_pipe[0]);
	while (filler[count - 1] >= 0 && filler[count - 1] < FD_SETSIZE);
	if (filler[count - 1] >= 0)
		return count;
	__STD(printf)("# Linux does not allow %d descriptors here\n", FD_SETSIZE + 1);
	return count - 1;
}

/* Before all others: it still needs its own descriptor. */
static void who_had_no_descriptor_for_select_may_try_again(void)
{
	int filler[FD_SETSIZE];
	bool full;
	int count;

	begin_waits();
	count = fill_descriptors(filler);
	full = count && filler[count - 1] >= FD_SETSIZE;
	for (int i = 0; full && i < SELECTORS; i++)
		expect_errno(select_in_vain(), ENOMEM);
	while (count)
		expect_ok(close(filler[--count]));
	expect_eq(select_in_vain(), 0);
	end_waits();
}

static void who_is_cancelled_in_select_leaves_nothing(void)
{
	int descriptors;

	begin_waits();
	cancel_one_who_selects(SCHED_FIFO);
	cancel_one_who_selects(SCHED_OTHER);
	descriptors = open_descriptors();
	for (int i = 0; i < SELECTORS; i++)
		cancel_one_who_selects(i % 2 ? SCHED_FIFO : SCHED_OTHER);
	expect_eq(open_descriptors(), descriptors);
	expect_eq(select_in_vain(), 0);
	end_waits();
}

static void many_select_both_at_once(void)
{
	pthread_t threads[SELECTORS];

	begin_waits();
	waiting = 0;
	for (int i = 0; i < SELECTORS; i++)
		threads[i] = thread_with(SCHED_OTHER, 0, select_both, NULL);
	until(waiting == SELECTORS);
	__STD(usleep)(20000);
	send_text(wait_socket, 0, WORD);
	for (int i = 0; i < SELECTORS; i++)
		expect_ok(pthread_join(threads[i], NULL));
	expect_text(wait_socket, 0, WORD);
	end_waits();
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(who_had_no_descriptor_for_select_may_try_again),
		CASE(select_tells_of_sockets_and_files),
		CASE(who_selects_both_is_woken_by_a_socket),
		CASE(who_is_cancelled_in_select_leaves_nothing),
		CASE(many_select_both_at_once),
	};

	own_session();
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
