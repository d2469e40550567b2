/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ends of programs whose core runs. By SIGKILL at random moments: kill CPU TIMES SEED. By
 * themselves: ends CPU. The CPU is back each time. */
#define _GNU_SOURCE
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

static struct ring3 *begin(uint32_t cpu)
{
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, cpu);

	self->period_ticks = self->info->ticks_khz / 10;
	ring3_add_all(file);
	ring3_start(self, tick_forever);
	return self;
}

static void live(uint32_t cpu)
{
	struct ring3 *self = begin(cpu);

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
		/* Taking and starting take about 50 ms. */
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

static bool has_ticked(void *data)
{
	return ((struct ring3 *)data)->ticks_seen > 3;
}

static void leave(const int outlived[2])
{
	(void)outlived;
	exit(0);
}

static void crash(const int outlived[2])
{
	(void)outlived;
	*(volatile int *)NULL = 1;
}

static void become_another(const int outlived[2])
{
	(void)outlived;
	execl("/bin/true", "true", (char *)NULL);
}

/* The file stays open in a child, which lives until the test closes its end. */
static void leave_a_child(const int outlived[2])
{
	char byte;

	if (fork() == 0) {
		close(outlived[1]);
		_exit((int)read(outlived[0], &byte, 1));
	}
	_exit(0);
}

static const struct {
	const char *name;
	void (*end)(const int outlived[2]);
	int status;
} ends[] = {
	{"exit", leave, 0},
	{"a crash", crash, SIGSEGV},
	{"exec", become_another, 0},
	{"exit before a child that has the file", leave_a_child, 0},
};

int case_ends(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;

	for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		int outlived[2], status = -1;
		bool back;
		pid_t child;

		check(!pipe(outlived), "ends: a pipe");
		child = fork();
		if (child == 0) {
			struct ring3 *self = begin(cpu);

			owner_begin(self);
			if (becomes(has_ticked, self))
				ends[i].end(outlived);
			_exit(99);
		}
		waitpid(child, &status, 0);
		back = cpu_comes_back(cpu);
		/* Whether a core file is written depends on the limits. */
		check((status & ~0x80) == ends[i].status && back,
		      "ends: the CPU is back after %s: status %x", ends[i].name, status);
		close(outlived[0]);
		close(outlived[1]);
	}
	return checks_failed();
}
