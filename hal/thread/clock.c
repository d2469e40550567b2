/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time: CLOCK_MONOTONIC as the vDSO reads it, which needs neither the kernel nor thread-local
 * storage, and the processor's own counter for accounting.
 */
#define _GNU_SOURCE

#include "clock.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "call.h"
#include "spin.h"

#define OFFSET_TRIES 4
#define BASE_NS      2000000u
#define NS_PER_S     1000000000ull

static int clock_call(clockid_t clock, struct timespec *time)
{
	return (int)call3(SYS_clock_gettime, clock, (long)time, 0);
}

static int (*clock_read)(clockid_t clock, struct timespec *time) = clock_call;
static uintptr_t vdso_begin, vdso_end;
static uint64_t tick_scale = 1ull << 32; /* ns a tick, 32.32 */

/* Both clocks at one moment. */
struct moment {
	uint64_t ticks;
	uint64_t ns;
};
static struct moment loaded;

static uint64_t read_ns(clockid_t clock)
{
	struct timespec time;

	clock_read(clock, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

uint64_t hal_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

/* Of a few tries the shortest one counts: whatever comes between the readings is an error of the
 * result. */
static struct moment read_moment(void)
{
	uint64_t shortest = UINT64_MAX;
	struct moment best = {0};

	for (int i = 0; i < OFFSET_TRIES; i++) {
		uint64_t before = hal_arch_ticks();
		uint64_t ns = hal_now_ns();
		uint64_t after = hal_arch_ticks();

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		best = (struct moment){before + (after - before) / 2, ns};
	}
	return best;
}

/* As above. */
int64_t hal_wall_offset_ns(void)
{
	uint64_t shortest = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < OFFSET_TRIES; i++) {
		uint64_t before = read_ns(CLOCK_MONOTONIC);
		uint64_t wall = read_ns(CLOCK_REALTIME);
		uint64_t after = read_ns(CLOCK_MONOTONIC);

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		offset = (int64_t)(wall - before - (after - before) / 2);
	}
	return offset;
}

uint64_t hal_wall_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

uint64_t hal_ticks(void)
{
	return hal_arch_ticks();
}

uint64_t hal_ticks_to_ns(uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * tick_scale >> 32);
}

/* The vDSO does not tell which ticks it read. Ticks that are read later make the result late by one
 * reading. */
uint64_t backend_ticks_at(uint64_t instant_ns)
{
	uint64_t now_ns = hal_now_ns();
	uint64_t now_ticks = hal_arch_ticks();
	uint64_t ns;

	if (now_ns >= instant_ns)
		return now_ticks;
	ns = instant_ns - now_ns;
	return now_ticks + (ns <= UINT32_MAX
				    ? (ns << 32) / tick_scale
				    : (uint64_t)(((unsigned __int128)ns << 32) / tick_scale));
}

/* Measured on processors of 2020 to 2025; `tactus tune` knows the machine at hand better. */
#define GRAVITY_LIGHT_NS 30u
#define GRAVITY_FULL_NS  45u

void hal_gravity(const struct hal_cpu *cpu, struct hal_gravity *gravity)
{
	static const struct hal_gravity usual = {
		.handler_ns = GRAVITY_LIGHT_NS,
		.light_ns = GRAVITY_LIGHT_NS,
		.task_ns = GRAVITY_FULL_NS,
	};

	linux_gravity_of(cpu, &usual, gravity);
}

bool thread_time_is_vdso(uintptr_t ip)
{
	return ip >= vdso_begin && ip < vdso_end;
}

/* If the vDSO cannot read the clock source, it calls the kernel; then we call the kernel
 * ourselves. */
static bool vdso_reads_clock(void)
{
	static const char *const readable[] = {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page"};
	char name[64] = "";
	FILE *file =
		fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");

	if (!file)
		return true;
	if (!fgets(name, sizeof(name), file))
		name[0] = 0;
	fclose(file);
	name[strcspn(name, "\n")] = 0;
	for (size_t i = 0; i < sizeof(readable) / sizeof(readable[0]); i++)
		if (!strcmp(name, readable[i]))
			return true;
	return false;
}

static void find_vdso(void)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Phdr) * segment;
	void *library, *function;

	if (!header)
		return;
	segment = (const ElfW(Phdr) *)((uintptr_t)header + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD &&
		    vdso_end < (uintptr_t)header + segment[i].p_memsz)
			vdso_end = (uintptr_t)header + segment[i].p_memsz;
	vdso_begin = (uintptr_t)header;

	library = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
	function = library ? dlvsym(library, "__vdso_clock_gettime", "LINUX_2.6") : NULL;
	if (function && vdso_reads_clock())
		memcpy(&clock_read, &function, sizeof(function));
}

static __attribute__((constructor)) void begin(void)
{
	find_vdso();
	loaded = read_moment();
}

/* The longer the base, the finer the scale: each end is uncertain by some 50 ns, so 2 ms give 50 in
 * a million. Most programs start later and have a longer base. */
void thread_time_start(void)
{
	struct moment now;

	while (hal_now_ns() - loaded.ns < BASE_NS)
		hal_arch_relax();
	now = read_moment();
	tick_scale = (uint64_t)(((unsigned __int128)(now.ns - loaded.ns) << 32) /
				(now.ticks - loaded.ticks));
}
