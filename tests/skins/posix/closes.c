/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program closes every open descriptor, in each way that programs use. Its tasks continue, more
 * are born, and a descriptor that it opens then may be closed again. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define FIRST 3
#define HIGH  4096

static sem_t worked;
static _Atomic int ends;

/* A sleep in primary mode, and a call of Linux. */
static void *works(void *unused)
{
	const struct timespec moment = {.tv_nsec = 100000};

	while (!atomic_load(&ends)) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
		syscall(SYS_getppid);
		sem_post(&worked);
	}
	return unused;
}

static void *waits_for_work(void *unused)
{
	SHOW(is_task_if_expected());
	while (!sem_trywait(&worked))
		;
	SHOW(sem_wait(&worked));
	SHOW(sem_wait(&worked));
	return unused;
}

static void close_each(void)
{
	for (int fd = FIRST; fd < HIGH; fd++)
		close(fd);
}

static void close_each_by_number(void)
{
	for (int fd = FIRST; fd < HIGH; fd++)
		syscall(SYS_close, fd);
}

static void close_listed(void)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;

	while ((entry = readdir(folder)))
		if (atoi(entry->d_name) >= FIRST && atoi(entry->d_name) != dirfd(folder))
			close(atoi(entry->d_name));
	closedir(folder);
}

static void close_ranges(void)
{
	close_range(FIRST, UINT_MAX, 0);
}

static void close_ranges_by_number(void)
{
	syscall(SYS_close_range, FIRST, UINT_MAX, 0);
}

static void close_the_rest(void)
{
	closefrom(FIRST);
}

static void step(const char *name, void (*all)(void))
{
	int high;

	SHOW(dup2(STDOUT_FILENO, HIGH / 2));
	all();
	printf("%s: %d\n", name, fcntl(HIGH / 2, F_GETFD) < 0 && errno == EBADF);
	joined(fifo_thread(35, waits_for_work, NULL));
	SHOW(open("/dev/null", O_RDONLY));
	high = fcntl(FIRST, F_DUPFD, 300);
	SHOW(high >= 300);
	SHOW(close(high));
	SHOW(close(FIRST));
}

static void *closes(void *unused)
{
	pthread_t worker = fifo_thread(40, works, NULL);

	step("close()", close_each);
	step("SYS_close", close_each_by_number);
	step("what is listed", close_listed);
	step("close_range()", close_ranges);
	step("SYS_close_range", close_ranges_by_number);
	step("closefrom()", close_the_rest);
	SHOW(is_task_if_expected());
	atomic_store(&ends, 1);
	joined(worker);
	return unused;
}

int main(void)
{
	sem_init(&worked, 0, 0);
	joined(fifo_thread(30, closes, NULL));
	return 0;
}
