/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stand-in for the kernel module, so that the bare back end can be tested without it: it
 * implements hal/bare/device.h without a device. A core is a Linux thread. The stand-in knows only
 * which memory is mapped.
 */
#define _GNU_SOURCE
#include "standin.h"

#include <cpuid.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/core.h"
#include "arch/self.h"
#include "call.h"
#include "device.h"

#define CLOCK_SHIFT 24
#define MEASURE_NS  20000000u
#define PART_NS     700000000u

struct standin *standins[HAL_MAX_CPUS];
unsigned standins_taken;
struct tact_bare_clock *standin_clock;

static uint64_t monotonic_ns(uint64_t *ticks)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	*ticks = hal_arch_ticks();
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void measure_clock(struct tact_bare_clock *clock)
{
	struct timespec wall;
	uint64_t ticks = 0, ns;

	clock->base_ns = monotonic_ns(&clock->base_ticks);
	do
		ns = monotonic_ns(&ticks);
	while (ns - clock->base_ns < MEASURE_NS);
	clock->mult =
		(uint32_t)(((ns - clock->base_ns) << CLOCK_SHIFT) / (ticks - clock->base_ticks));
	clock->shift = CLOCK_SHIFT;
	/* Linux stores the part below a second in this way. */
	clock->base_ns -= PART_NS;
	clock->base_fraction = (uint64_t)PART_NS << CLOCK_SHIFT;
	clock_gettime(CLOCK_REALTIME, &wall);
	clock->wall_offset_ns = (int64_t)((uint64_t)wall.tv_sec * 1000000000u +
					  (uint64_t)wall.tv_nsec - monotonic_ns(&ticks));
	clock->valid = 1;
}

int device_open(char reason[256])
{
	(void)reason;
	bare_program.device = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	standin_clock = mmap(NULL, TACT_BARE_PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	measure_clock(standin_clock);
	bare_program.clock = standin_clock;
	standins_taken = 0;
	return bare_time_start(standin_clock);
}

/* The stand-in has no devices. */
int device_request(unsigned number, void *argument)
{
	(void)number;
	(void)argument;
	return -ENOTTY;
}

void device_close(void)
{
	bare_time_stop(bare_program.clock);
	bare_program.clock = NULL;
	close(bare_program.device);
	bare_program.device = -1;
	for (unsigned i = 0; i < standins_taken; i++)
		free(standins[i]);
	standins_taken = 0;
}

/* Source: Intel SDM volume 1, 13.2. */
static uint32_t extended_bytes(void)
{
	uint32_t a = 0, b = 0, c = 0, d = 0;

	__get_cpuid_count(0xd, 0, &a, &b, &c, &d);
	return b;
}

int device_take(struct bare_core *core, char reason[256])
{
	struct standin *standin = calloc(1, sizeof(*standin));

	(void)reason;
	core->index = standins_taken;
	standin->core = core;
	standin->user = mmap(NULL, TACT_BARE_PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	core->user = standin->user;
	core->info = calloc(1, TACT_BARE_PAGE);
	((struct tact_bare_info *)core->info)->xsave_bytes = extended_bytes();
	standins[standins_taken++] = standin;
	return 0;
}

int device_start(struct bare_core *core)
{
	struct standin *standin = standins[core->index];

	standin->start = (struct tact_bare_start){
		.entry = {(uint64_t)hal_arch_core_event, (uint64_t)hal_arch_core_fault,
			  (uint64_t)hal_arch_core_call},
	};
	for (unsigned kind = 0; kind < TACT_BARE_UP_EVENTS; kind++)
		standin->start.stack[kind] =
			(uint64_t)core->upcall_stacks + (kind + 1) * BARE_UPCALL_STACK_BYTES;
	if (!core->index)
		standin_handlers_install();
	return 0;
}

int device_run(struct bare_core *core, struct tact_bare_run *run)
{
	struct standin *standin = standins[core->index];

	standin_ring3(standin);
	*run = standin->run;
	return 0;
}

/* The core can use all mapped memory. The query is no cancellation point, as with the module. */
int device_add(const void *memory, size_t bytes, uint64_t *pages)
{
	uintptr_t begin = (uintptr_t)memory & ~(uintptr_t)(TACT_BARE_PAGE - 1);

	if (pages)
		*pages = 0;
	return call3(SYS_msync, (long)begin, (long)((uintptr_t)memory + bytes - begin), MS_ASYNC)
		       ? -EFAULT
		       : 0;
}

int device_add_all(char reason[256])
{
	(void)reason;
	return 0;
}

void device_kick(uint32_t core)
{
	standin_kick(standins[core]);
}
