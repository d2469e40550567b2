/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A core that does not answer, with a module built for this (TACTUS_TEST_HANG): hang CPU HOW. HOW
 * 0: an NMI ends it; 1: only INIT does; 2: its ring 0 faults; more: for so many microseconds not
 * even an NMI ends it, and CPU 0 gets no INIT. Linux gets the CPU back each time, although two
 * threads request something of the core at once, and one of them finds that it does not answer.
 */
#include <errno.h>
#include <pthread.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"

static uint64_t how;

static uint64_t hang(struct ring3 *self)
{
	(void)self;
	return (uint64_t)ring3_call(TACT_BARE_CALL_END - 1, how);
}

static void on_alarm(int number)
{
	(void)number;
}

/* Memory that leaves the program must leave the core first. */
static void *unmap_soon(void *page)
{
	usleep(20000);
	munmap(page, TACT_BARE_PAGE);
	return NULL;
}

/* Linux does not get the CPU until it answers. */
static void lose(struct ring3 *self, uint32_t cpu)
{
	struct tact_bare_core core = {.core = self->core};
	char path[64];
	int online, wrote, error;

	check(ioctl(self->file, TACT_BARE_GIVE, &core) == -1 && errno == EIO,
	      "hang: GIVE of a lost CPU: %s", strerror(errno));
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	online = open(path, O_WRONLY);
	wrote = (int)write(online, "1", 1);
	error = errno;
	check(wrote == -1 && error == EBUSY, "hang: Linux does not start a lost CPU: %s",
	      strerror(error));
	close(online);
	check(cpu_comes_back(cpu), "hang: the CPU comes back when it answers");
}

int case_hang(int count, char **words)
{
	void *page = mmap(NULL, TACT_BARE_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, cpu);
	struct sigaction action = {.sa_handler = on_alarm};
	pthread_t second;
	int result;

	how = count > 2 ? strtoull(words[2], NULL, 10) : 0;
	sigaction(SIGALRM, &action, NULL);
	ring3_add_all(file);
	ring3_start(self, hang);
	pthread_create(&second, NULL, unmap_soon, page);
	ualarm(20000, 20000);
	do
		result = ring3_run(self);
	while (result == -EINTR);
	ualarm(0, 0);
	pthread_join(second, NULL);
	check(result == -EIO, "hang: RUN tells: %s", strerror(-result));
	if (how > 2)
		lose(self, cpu);
	ring3_give(self);
	check(cpu_is_online(cpu), "hang: the CPU is back");
	self = ring3_take(file, cpu);
	ring3_give(self);
	check(cpu_is_online(cpu), "hang: it can be taken anew");
	return checks_failed();
}
