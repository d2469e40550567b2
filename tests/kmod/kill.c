/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SIGKILL at random moments: kill CPU TIMES SEED. The CPU is back each time. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static uint64_t tick_forever(struct ring3 *self)
{
	self->next = ring3_ticks() + self->period_ticks;
	ring3_call(TACT_BARE_CALL_ARM, self->next);
	ring3_unmask(self);
	while (true)
		ring3_spin();
	return 0;
}

static void live(uint32_t cpu)
{
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, cpu);

	self->period_ticks = self->info->ticks_khz / 10;
	ring3_add_all(file);
	ring3_start(self, tick_forever);
	while (ring3_run(self) == 0)
		;
	_exit(1);
}

int case_kill(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	int times = count > 2 ? atoi(words[2]) : 20;

	srandom(count > 3 ? (unsigned)atoi(words[3]) : 1);
	for (int i = 0; i < times; i++) {
		/* Taking and starting lasts some 50 ms. */
		unsigned after_us = (unsigned)(random() % 80000);
		pid_t child = fork();
		int status = 0;

		if (child == 0)
			live(cpu);
		usleep(after_us);
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		if (!WIFSIGNALED(status) || !cpu_comes_back(cpu)) {
			check(false, "kill: after %u us: status %x, CPU online %d", after_us,
			      status, cpu_is_online(cpu));
			return 1;
		}
		progress("kill %d of %d", i + 1, times);
	}
	check(true, "kill: %d times, the CPU back each time", times);
	return checks_failed();
}
