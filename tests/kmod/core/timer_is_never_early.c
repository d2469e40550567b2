/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The core's timer on a processor that the test supplies, by TSC deadline, which no emulator has,
 * and by the counter of the local APIC: what is written to the processor, and that an event is
 * logged at its time and not before, whatever interrupts come.
 */
#include "check.h"
#include "fake.h"

#include "core/timer.c"

#include <stdio.h>
#include <string.h>

#define TICKS_KHZ 2000000u
#define APIC_KHZ  25000u
/* On the processor's counter, when the core begins. */
#define BEGIN_TICKS 1000000u

struct core_mailbox core_mailbox;
struct tact_bare_user core_user;
struct tact_bare_info core_info;

static struct {
	uint64_t ticks;
	uint64_t deadline; /* the register */
	uint32_t entry;    /* the entry of the timer in the local vector table */
	uint32_t initial;
	uint64_t counts_from; /* ticks at which `initial` was written */
} processor;

uint64_t read_ticks(void)
{
	return processor.ticks += 20;
}

void pause_processor(void)
{
	processor.ticks += 100;
}

void write_msr(uint32_t msr, uint64_t value)
{
	if (msr == MSR_TSC_DEADLINE)
		processor.deadline = value;
}

void core_apic_write(uint32_t reg, uint32_t value)
{
	if (reg == APIC_LVT_TIMER)
		processor.entry = value;
	if (reg == APIC_INITIAL_COUNT) {
		processor.initial = value;
		processor.counts_from = processor.ticks;
	}
}

uint32_t core_apic_read(uint32_t reg)
{
	uint64_t passed = (processor.ticks - processor.counts_from) * APIC_KHZ / TICKS_KHZ;

	if (reg != APIC_CURRENT_COUNT)
		return 0;
	return passed < processor.initial ? processor.initial - (uint32_t)passed : 0;
}

void core_log_event(uint32_t event)
{
	core_user.events |= event;
}

static void interrupt_at(uint64_t ticks)
{
	if (processor.ticks < ticks)
		processor.ticks = ticks;
	core_user.events = 0;
	core_timer_interrupt();
}

static void begin(uint32_t by_deadline, uint64_t timer_per_tick)
{
	memset(&core_mailbox, 0, sizeof(core_mailbox));
	memset(&core_user, 0, sizeof(core_user));
	memset(&core_info, 0, sizeof(core_info));
	core_mailbox.ticks_khz = TICKS_KHZ;
	core_mailbox.tsc_deadline = by_deadline;
	core_mailbox.timer_per_tick = timer_per_tick;
	processor.ticks = BEGIN_TICKS;
	core_timer_start();
}

/* The same for both; `far` is a time beyond the range of the counter's 32 bits. */
static void interrupts(void)
{
	uint64_t far = processor.ticks + (1ull << 45);

	interrupt_at(0);
	is(core_user.events, 0, "an interrupt without a deadline is no event");
	is(core_info.stale, 1, "it is counted");
	core_timer_arm(far);
	interrupt_at(0);
	is(core_user.events, 0, "an interrupt before its time is no event");
	is(core_info.early, 1, "it is counted");
	interrupt_at(far);
	is(core_user.events, TACT_BARE_EVENT_TIMER, "at its time it is");
	is(core_user.deadline, far, "which is told");
	is(core_info.shots, 1, "shots");
	interrupt_at(far + 1);
	is(core_user.events, 0, "once");
	core_timer_arm(far + 1000000);
	core_timer_disarm();
	interrupt_at(far + 2000000);
	is(core_user.events, 0, "not after it was disarmed");
}

static void by_deadline(void)
{
	begin(1, 0);
	is(processor.entry, MODE_TSC_DEADLINE | CORE_VECTOR_TIMER, "the vector's entry");
	is(core_info.timer, TACT_BARE_TIMER_TSC_DEADLINE, "the kind that is told");
	core_timer_arm(5000000);
	is(processor.deadline, 5000000, "the register");
	interrupt_at(4000000);
	is(processor.deadline, 5000000, "written anew by an interrupt before its time");
	core_timer_disarm();
	is(processor.deadline, 0, "disarmed");
	core_info = (struct tact_bare_info){0};
	interrupts();
}

static void by_counter(void)
{
	uint64_t khz;

	begin(0, 0);
	is(processor.entry, CORE_VECTOR_TIMER, "the vector's entry");
	is(core_info.timer, TACT_BARE_TIMER_ONE_SHOT, "the kind that is told");
	khz = core_info.timer_khz;
	is(khz > APIC_KHZ - APIC_KHZ / 500 && khz < APIC_KHZ + APIC_KHZ / 500, 1, "its rate");
	core_timer_arm(processor.ticks + TICKS_KHZ);
	is(processor.initial >= khz && processor.initial <= khz + 2, 1, "a millisecond of counts");
	core_timer_arm(1);
	is(processor.initial, 1, "what has passed comes at once");
	core_timer_arm(processor.ticks + (1ull << 60));
	is(processor.initial, UINT32_MAX, "what is far comes in parts");
	core_timer_disarm();
	is(processor.initial, 0, "disarmed");
	interrupts();
}

static void by_counter_of_a_known_rate(void)
{
	uint64_t measured = core_mailbox.timer_per_tick;
	uint32_t khz = core_info.timer_khz;

	core_info = (struct tact_bare_info){0};
	begin(0, measured);
	is(processor.ticks, BEGIN_TICKS, "what an earlier core has measured costs no time");
	is(core_mailbox.timer_per_tick, measured, "and stays");
	is(core_info.timer_khz, khz, "its rate is told");
	core_timer_arm(processor.ticks + TICKS_KHZ);
	is(processor.initial >= khz && processor.initial <= khz + 2, 1, "a millisecond of counts");
}

int main(void)
{
	by_deadline();
	by_counter();
	by_counter_of_a_known_rate();
	return failed != 0;
}
