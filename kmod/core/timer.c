// SPDX-License-Identifier: GPL-2.0-only
/*
 * The core's timer: one shot, by TSC deadline if the processor has it, otherwise by the counter of
 * the local APIC. It is never early, whatever the counter does: a shot before its time is
 * postponed.
 */
#include "core.h"
#include "processor.h"

#define APIC_LVT_TIMER     0x320
#define APIC_INITIAL_COUNT 0x380
#define APIC_CURRENT_COUNT 0x390
#define APIC_DIVIDE        0x3e0
#define DIVIDE_BY_1        0xb
#define MASKED             0x10000
#define MODE_TSC_DEADLINE  0x40000
#define CALIBRATION_US     5000u

static uint64_t timer_deadline;
static bool timer_armed;

/* The counter beside the TSC. An SMI or a hypervisor between the two reads makes the pair wrong, so
 * many pairs are read, and the quickest counts. */
static void timer_sample(uint64_t *ticks, uint32_t *count)
{
	uint64_t best = 0;

	for (int i = 0; i < 20; i++) {
		uint64_t before = read_ticks();
		uint32_t now = core_apic_read(APIC_CURRENT_COUNT);
		uint64_t took = read_ticks() - before;

		if (i == 0 || took < best) {
			best = took;
			*ticks = before + took / 2;
			*count = now;
		}
	}
}

static void timer_calibrate(void)
{
	uint64_t wait = (uint64_t)core_mailbox.ticks_khz * CALIBRATION_US / 1000;
	uint64_t first, last;
	uint32_t first_count, last_count;

	core_apic_write(APIC_LVT_TIMER, MASKED | CORE_VECTOR_TIMER);
	core_apic_write(APIC_INITIAL_COUNT, UINT32_MAX);
	timer_sample(&first, &first_count);
	while (read_ticks() - first < wait)
		pause_processor();
	timer_sample(&last, &last_count);
	core_apic_write(APIC_INITIAL_COUNT, 0);
	core_mailbox.timer_per_tick = ((uint64_t)(first_count - last_count) << 32) / (last - first);
}

void core_timer_start(void)
{
	if (core_mailbox.tsc_deadline) {
		core_apic_write(APIC_LVT_TIMER, MODE_TSC_DEADLINE | CORE_VECTOR_TIMER);
		/* The write to the APIC's page must be complete before the write of the deadline
		 * (SDM 3, 11.5.4.1). */
		__asm__ volatile("mfence" ::: "memory");
		core_info.timer = TACT_BARE_TIMER_TSC_DEADLINE;
		return;
	}
	core_apic_write(APIC_DIVIDE, DIVIDE_BY_1);
	if (!core_mailbox.timer_per_tick)
		timer_calibrate();
	core_info.timer_khz = (uint32_t)((unsigned __int128)core_mailbox.timer_per_tick *
						 core_mailbox.ticks_khz >>
					 32);
	core_apic_write(APIC_LVT_TIMER, CORE_VECTOR_TIMER);
	core_info.timer = TACT_BARE_TIMER_ONE_SHOT;
}

static void timer_program(uint64_t deadline)
{
	uint64_t now, left;
	unsigned __int128 count;

	if (core_mailbox.tsc_deadline) {
		write_msr(MSR_TSC_DEADLINE, deadline);
		return;
	}
	now = read_ticks();
	left = deadline > now ? deadline - now : 0;
	count = ((unsigned __int128)left * core_mailbox.timer_per_tick >> 32) + 1;
	core_apic_write(APIC_INITIAL_COUNT, count > UINT32_MAX ? UINT32_MAX : (uint32_t)count);
}

void core_timer_arm(uint64_t deadline)
{
	timer_deadline = deadline;
	timer_armed = true;
	timer_program(deadline);
}

void core_timer_disarm(void)
{
	timer_armed = false;
	if (core_mailbox.tsc_deadline)
		write_msr(MSR_TSC_DEADLINE, 0);
	else
		core_apic_write(APIC_INITIAL_COUNT, 0);
}

void core_timer_interrupt(void)
{
	/* Disarming does not cancel a shot that already waits in the APIC. */
	if (!timer_armed) {
		core_info.stale++;
		return;
	}
	/* That shot may belong to an earlier deadline; and a count of 32 bits soon ends. */
	if (read_ticks() < timer_deadline) {
		core_info.early++;
		timer_program(timer_deadline);
		return;
	}
	timer_armed = false;
	core_info.shots++;
	core_user.deadline = timer_deadline;
	core_log_event(TACT_BARE_EVENT_TIMER);
}
