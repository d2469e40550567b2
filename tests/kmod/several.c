/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several cores and programs, kicks, the doorbell, extended state: several (CPUs 1, 2 and 3). */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

#define KICKS 1000

/* Kicks the other core and waits for its kick, in turn; halts in between. */
static uint64_t ping(struct ring3 *self)
{
	for (uint64_t i = 1; i <= KICKS; i++) {
		if (self->core == 0)
			ring3_call(TACT_BARE_CALL_KICK, 1);
		while (self->kicks_seen < i) {
			ring3_call(TACT_BARE_CALL_HALT, 0);
			if (__atomic_exchange_n(&self->user->events, 0, __ATOMIC_SEQ_CST) &
			    TACT_BARE_EVENT_KICK)
				self->kicks_seen++;
		}
		if (self->core == 1)
			ring3_call(TACT_BARE_CALL_KICK, 0);
	}
	return self->kicks_seen;
}

static void check_kicks(int file)
{
	struct ring3 *first = ring3_take(file, 1), *second = ring3_take(file, 2);

	ring3_add_all(file);
	ring3_start(first, ping);
	ring3_start(second, ping);
	owner_begin(second);
	owner_begin(first);
	ring3_add_all(file);
	int a = owner_end(first), b = owner_end(second);

	check(!a && !b && first->run.cause == KICKS && second->run.cause == KICKS,
	      "several: %d kicks to and fro (%llu, %llu)", KICKS,
	      (unsigned long long)first->run.cause, (unsigned long long)second->run.cause);
	ring3_give(second);
	ring3_give(first);
}

static uint64_t echo(struct ring3 *self)
{
	while (self->kicks_seen < KICKS / 10) {
		ring3_call(TACT_BARE_CALL_HALT, 0);
		__atomic_exchange_n(&self->user->events, 0, __ATOMIC_SEQ_CST);
		self->kicks_seen++;
		ring3_call(TACT_BARE_CALL_DOORBELL, 0);
	}
	return 5;
}

static void check_doorbell(int file)
{
	struct ring3 *self = ring3_take(file, 2);
	struct tact_bare_kick kick = {.cores = 1};
	struct pollfd poll_file = {.fd = file, .events = POLLIN};
	int rings = 0;

	ring3_add_all(file);
	ring3_start(self, echo);
	owner_begin(self);
	for (int i = 0; i < KICKS / 10; i++) {
		uint64_t cores = 0;

		if (ioctl(file, TACT_BARE_KICK, &kick) || poll(&poll_file, 1, 5000) != 1 ||
		    read(file, &cores, 8) != 8 || cores != 1)
			break;
		rings++;
	}
	check(rings == KICKS / 10, "several: %d kicks from Linux and rings back", rings);
	check(!owner_end(self) && self->run.cause == 5, "several: the echo leaves");
	check(self->info->rings == (uint64_t)rings, "several: rings are counted: %llu",
	      (unsigned long long)self->info->rings);
	ring3_give(self);
}

/* Vector registers must keep their values although upcalls destroy them, if they are saved: here
 * for the interrupted code, by XSAVE around each upcall. */
static uint64_t sum_vectors(struct ring3 *self)
{
	uint64_t wrong = 0;

	self->next = ring3_ticks() + self->period_ticks;
	ring3_call(TACT_BARE_CALL_ARM, self->next);
	ring3_unmask(self);
	for (uint64_t i = 0; self->ticks_seen < 200; i++) {
		uint64_t out;

		__asm__ volatile("vmovq %1, %%xmm5; vinsertf128 $1, %%xmm5, %%ymm5, %%ymm5; movl "
				 "$2000, %%ecx;"
				 "1: pause; decl %%ecx; jnz 1b; vextractf128 $1, %%ymm5, %%xmm6; "
				 "vmovq %%xmm6, %0"
				 : "=r"(out)
				 : "r"(i)
				 : "rcx", "xmm5", "xmm6", "cc");
		wrong += out != i;
	}
	self->period_ticks = 0;
	return wrong;
}

static void check_extended(int file)
{
	struct ring3 *self = ring3_take(file, 1);
	int result;

	self->period_ticks = self->info->ticks_khz / 20;
	self->extended = true;
	ring3_add_all(file);
	ring3_start(self, sum_vectors);
	result = ring3_run(self);
	check(!result && self->run.reason == TACT_BARE_LEFT && self->run.cause == 0,
	      "several: vector registers live through %llu upcalls that use them (wrong %llu)",
	      (unsigned long long)self->ticks_seen, (unsigned long long)self->run.cause);
	check(self->info->xsave_bytes >= 576 + 256, "several: XSAVE takes %u bytes",
	      self->info->xsave_bytes);
	ring3_give(self);
}

static uint64_t kick_until_kicked(struct ring3 *self)
{
	uint64_t kicks = 0;

	while (!(__atomic_load_n(&self->user->events, __ATOMIC_SEQ_CST) & TACT_BARE_EVENT_KICK))
		kicks += ring3_call(TACT_BARE_CALL_KICK, 1) == 0;
	return kicks;
}

static bool is_kicked(void *data)
{
	const struct ring3 *self = data;

	return *(const volatile uint64_t *)&self->info->kicks > 0;
}

/* Linux would report an interrupt that no driver requested; the kernel's log is checked. */
static void check_giving(int file)
{
	struct ring3 *first = ring3_take(file, 1), *second = ring3_take(file, 2);
	struct tact_bare_kick kick = {.cores = 1};
	uint64_t flushes;
	int result;

	ring3_add_all(file);
	ring3_start(first, kick_until_kicked);
	owner_begin(first);
	check(becomes(is_kicked, second), "several: a core that is not running is kicked");
	flushes = *(const volatile uint64_t *)&first->info->flushes;
	ioctl(file, TACT_BARE_GIVE, &(struct tact_bare_core){.core = second->core});
	/* Its last memory call is over, so it has answered this one. */
	check(*(const volatile uint64_t *)&first->info->flushes > flushes,
	      "several: the other one has heard of it before Linux has the CPU");
	usleep(20000);
	ioctl(file, TACT_BARE_KICK, &kick);
	result = owner_end(first);
	check(!result && first->run.cause > 0,
	      "several: a core that was kicked without pause (%llu) goes back to Linux",
	      (unsigned long long)first->run.cause);
	ring3_give(first);
}

static uint64_t spin(struct ring3 *self)
{
	for (uint64_t end = ring3_ticks() + self->info->ticks_khz * 20ull; ring3_ticks() < end;)
		self->kicks_seen++;
	return 3;
}

static void check_programs(int file)
{
	struct ring3 *mine = ring3_take(file, 3);
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		int own = ring3_open();
		struct ring3 *self = ring3_take(own, 2);

		ring3_add_all(own);
		ring3_start(self, spin);
		_exit(ring3_run(self) == 0 && self->run.cause == 3 ? 0 : 1);
	}
	ring3_add_all(file);
	ring3_start(mine, spin);
	check(!ring3_run(mine) && mine->run.cause == 3, "several: a program beside another");
	waitpid(child, &status, 0);
	check(status == 0, "several: the other one (status %x)", status);
	ring3_give(mine);
}

int case_several(int count, char **words)
{
	int file = ring3_open();

	(void)count;
	(void)words;
	check_kicks(file);
	check_giving(file);
	check_doorbell(file);
	check_extended(file);
	check_programs(file);
	for (unsigned cpu = 1; cpu < 4; cpu++)
		check(cpu_is_online(cpu), "several: CPU %u is back", cpu);
	close(file);
	return checks_failed();
}
