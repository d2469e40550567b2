/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A core that does not answer, with a module built for it (TACTUS_TEST_HANG): hang CPU HOW. HOW 0:
 * an NMI ends it; 1: only INIT does; 2: its ring 0 faults. Linux gets the CPU back each time.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int case_hang(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, cpu);
	struct sigaction action = {.sa_handler = on_alarm};
	int result;

	how = count > 2 ? strtoull(words[2], NULL, 10) : 0;
	sigaction(SIGALRM, &action, NULL);
	ring3_add_all(file);
	ring3_start(self, hang);
	ualarm(20000, 20000);
	do
		result = ring3_run(self);
	while (result == -EINTR);
	ualarm(0, 0);
	check(result == -EIO, "hang: RUN tells: %s", strerror(-result));
	ring3_give(self);
	check(cpu_is_online(cpu), "hang: the CPU is back");
	self = ring3_take(file, cpu);
	ring3_give(self);
	check(cpu_is_online(cpu), "hang: it can be taken anew");
	return checks_failed();
}
