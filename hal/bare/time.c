/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time: CLOCK_MONOTONIC, from the processor's counter and the module's clock page, which all
 * threads and cores of the program read in the same way. Linux's own clock page is not available on
 * a core. Before the start and after the stop there are only Linux threads, which ask Linux.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <sys/mman.h>
#include <time.h>

#include "arch/self.h"
#include "back_end.h"
#include "base/error.h"
#include "spin.h"

#define NS_PER_S   1000000000ull
#define NARROW_MAX (UINT64_MAX >> 1)

/* A page that is not valid: Linux must be asked. */
static const struct tact_bare_clock none;
static const struct tact_bare_clock *_Atomic page = &none;

static uint64_t linux_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * The counter is read between the two readings of the sequence, so it is not before the base. The
 * fence orders it behind what the caller has seen of another CPU's reading. Source: Intel SDM
 * volume 2, RDTSC.
 */
static uint64_t read_clock(struct tact_bare_clock *clock)
{
	const struct tact_bare_clock *from = atomic_load_explicit(&page, memory_order_relaxed);
	uint32_t before;
	uint64_t ticks;

	do {
		before = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);
		*clock = *(const volatile struct tact_bare_clock *)from;
		__builtin_ia32_lfence();
		ticks = hal_arch_ticks();
		atomic_thread_fence(memory_order_acquire);
	} while (before & 1 || __atomic_load_n(&from->sequence, __ATOMIC_RELAXED) != before);
	return ticks;
}

static uint64_t to_ns(const struct tact_bare_clock *clock, uint64_t ticks)
{
	if (__builtin_expect(ticks < clock->base_ticks, 0))
		ticks = clock->base_ticks;
	return clock->base_ns +
	       (uint64_t)(((unsigned __int128)(ticks - clock->base_ticks) * clock->mult +
			   clock->base_fraction) >>
			  clock->shift);
}

uint64_t hal_now_ns(void)
{
	struct tact_bare_clock clock;
	uint64_t ticks = read_clock(&clock);

	if (__builtin_expect(!clock.mult, 0))
		return linux_ns(CLOCK_MONOTONIC);
	return to_ns(&clock, ticks);
}

bool bare_time_read(uint64_t *monotonic_ns, int64_t *wall_offset_ns)
{
	struct tact_bare_clock clock;
	uint64_t ticks = read_clock(&clock);

	if (!clock.mult || !clock.valid)
		return false;
	*monotonic_ns = to_ns(&clock, ticks);
	*wall_offset_ns = clock.wall_offset_ns;
	return true;
}

int64_t hal_wall_offset_ns(void)
{
	struct tact_bare_clock clock;
	uint64_t before, wall, after;

	(void)read_clock(&clock);
	if (clock.mult)
		return clock.wall_offset_ns;
	before = linux_ns(CLOCK_MONOTONIC);
	wall = linux_ns(CLOCK_REALTIME);
	after = linux_ns(CLOCK_MONOTONIC);
	return (int64_t)(wall - before - (after - before) / 2);
}

uint64_t hal_wall_ns(void)
{
	struct tact_bare_clock clock;

	(void)read_clock(&clock);
	return clock.mult ? hal_now_ns() + (uint64_t)clock.wall_offset_ns
			  : linux_ns(CLOCK_REALTIME);
}

/* (ns << shift) / mult; 64 bits are enough for less than some minutes. */
static uint64_t to_ticks(const struct tact_bare_clock *clock, uint64_t ns)
{
	if (ns <= NARROW_MAX >> clock->shift)
		return (ns << clock->shift) / clock->mult;
	return (uint64_t)(((unsigned __int128)ns << clock->shift) / clock->mult);
}

uint64_t hal_ticks(void)
{
	return hal_arch_ticks();
}

uint64_t hal_ticks_to_ns(uint64_t ticks)
{
	struct tact_bare_clock clock;

	(void)read_clock(&clock);
	return (uint64_t)((unsigned __int128)ticks * clock.mult >> clock.shift);
}

uint64_t backend_ticks_at(uint64_t instant_ns)
{
	struct tact_bare_clock clock;
	uint64_t base_ns;

	(void)read_clock(&clock);
	/* The fraction of a second is in units of 2^-shift nanoseconds. */
	base_ns = clock.base_ns + (clock.base_fraction >> clock.shift);
	if (instant_ns <= base_ns)
		return clock.base_ticks;
	return clock.base_ticks + to_ticks(&clock, instant_ns - base_ns) + 1;
}

int bare_time_start(const struct tact_bare_clock *clock)
{
	if (!clock->valid || !clock->mult)
		return -TACT_ENOSYS;
	atomic_store(&page, clock);
	return 0;
}

void bare_time_forget(void)
{
	atomic_store(&page, &none);
}

/* A thread that reads the module's page at this moment still finds memory there, and soon reads the
 * other page. */
void bare_time_stop(const struct tact_bare_clock *clock)
{
	atomic_store(&page, &none);
	mmap((void *)clock, TACT_BARE_PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	     0);
}

/* From the end of a halt to the first instruction, counted in instructions, minus a margin for the
 * jitter of the path: what is too early is spent on spinning. Measured in guests whose instructions
 * are counted. */
#define GRAVITY_HANDLER_NS 168u
#define GRAVITY_LIGHT_NS   78u
#define GRAVITY_FULL_NS    96u

void hal_gravity(const struct hal_cpu *cpu, struct hal_gravity *gravity)
{
	static const struct hal_gravity usual = {
		.handler_ns = GRAVITY_HANDLER_NS,
		.light_ns = GRAVITY_LIGHT_NS,
		.task_ns = GRAVITY_FULL_NS,
	};

	linux_gravity_of(cpu, &usual, gravity);
}
