// SPDX-License-Identifier: GPL-2.0-only
/*
 * CLOCK_MONOTONIC by the time-stamp counter where Linux reads another clock, as in many virtual
 * machines. Ten times a second both are read together. The line that cores read by has the rate
 * seen over the last 8 to 16 seconds, and is bent by an eighth of its error: it bends where it
 * ended, so time does not jump, and at most to half the rate, so it never runs backwards. What no
 * drift explains is stepped over where Linux is ahead; backwards only when the machine has slept,
 * and nothing runs on a core then. Where a host let the reading last much longer than others did,
 * it is not believed, and the line goes on straight.
 *
 * A counter that Linux found to go wrong on a machine of its own is not used. In a virtual machine
 * it is: the host sees to it that all processors have the same, and Linux's doubts there are about
 * idle states and about reading it late.
 */
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/timer.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "compat.h"
#include "tactus.h"

#define FOLLOW_MS 100
#define SETTLE_NS (8ll * FOLLOW_MS * NSEC_PER_MSEC)
#define STEP_NS   (5ll * NSEC_PER_MSEC)
#define WINDOW_S  8ull
#define TRIES     4
/* A line begins with a reading as good as this, or with the best of many. */
#define FIRST_NS    50000
#define FIRST_TRIES 20
/* A mult of 31 bits for a counter of 1 GHz and more; less shift for a slower one. */
#define SHIFT 31

struct follow_pair {
	u64 ticks, ns;
	u64 took; /* ticks */
};

static struct tactus_slope follow_slope;              /* mult 0: there is none */
static struct follow_pair follow_older, follow_newer; /* begins of the window of the rate */
static u32 follow_rate;                               /* of the line, before it was bent */
static u64 follow_usual;                              /* what a reading takes */
static ktime_t follow_slept;                          /* what the machine has, since it started */
static void follow_again(struct timer_list *timer);
static DEFINE_TIMER(follow_timer, follow_again);
static void follow_woken(struct irq_work *work);
static struct irq_work follow_work = IRQ_WORK_INIT(follow_woken);

/* The try that took least: an interrupt of the host's may come between. */
static struct follow_pair follow_read(unsigned int tries, u64 enough)
{
	struct follow_pair best = {.took = U64_MAX};
	unsigned int i;

	for (i = 0; i < tries && best.took > enough; i++) {
		unsigned long flags;
		u64 before, after, ns;

		local_irq_save(flags);
		before = rdtsc_ordered();
		ns = ktime_get_ns();
		after = rdtsc_ordered();
		local_irq_restore(flags);
		if (after - before >= best.took)
			continue;
		best.took = after - before;
		best.ticks = before + best.took / 2;
		best.ns = ns;
	}
	return best;
}

/* What is usual rises by an eighth with each reading that took longer, so that no clock is
 * disbelieved for long. */
static bool follow_believes(const struct follow_pair *now)
{
	bool usual = now->took <= 2 * follow_usual;

	if (now->took < follow_usual)
		follow_usual = now->took;
	else
		follow_usual += follow_usual / 8 + 1;
	return usual;
}

static u64 follow_reported(u64 ticks)
{
	return follow_slope.ns +
	       mul_u64_u32_shr(ticks - follow_slope.ticks, follow_slope.mult, follow_slope.shift);
}

static void follow_begin(void)
{
	const struct follow_pair now =
		follow_read(FIRST_TRIES, (u64)tsc_khz * FIRST_NS / NSEC_PER_MSEC);
	u32 shift = SHIFT;

	while (((u64)NSEC_PER_MSEC << shift) / tsc_khz > U32_MAX / 2)
		shift--;
	follow_slope = (struct tactus_slope){
		.ticks = now.ticks,
		.ns = now.ns,
		.mult = ((u64)NSEC_PER_MSEC << shift) / tsc_khz,
		.shift = shift,
	};
	follow_rate = follow_slope.mult;
	follow_usual = now.took;
	follow_slept = ktime_mono_to_any(0, TK_OFFS_BOOT);
	follow_older = follow_newer = now;
}

static void follow_bend(const struct follow_pair *now)
{
	u64 reported = follow_reported(now->ticks);
	s64 error = (s64)(now->ns - reported);

	follow_slope.ticks = now->ticks;
	follow_slope.ns = reported;
	follow_slope.mult = follow_rate;
	if (!follow_believes(now))
		return;
	if (error > STEP_NS + (s64)(now->took / 2 * NSEC_PER_MSEC / tsc_khz)) {
		follow_begin();
		return;
	}
	/* The rate is no better than the reading that its window began with. */
	if (now->took < follow_older.took / 2)
		follow_older = follow_newer = *now;
	if (now->ticks - follow_older.ticks >= (u64)tsc_khz * FOLLOW_MS)
		follow_rate =
			mul_u64_u64_div_u64(now->ns - follow_older.ns, 1ull << follow_slope.shift,
					    now->ticks - follow_older.ticks);
	if (now->ticks - follow_newer.ticks >= (u64)tsc_khz * MSEC_PER_SEC * WINDOW_S) {
		follow_older = follow_newer;
		follow_newer = *now;
	}
	/* As far back as half the rate brings it in that time. */
	error = max(error, -SETTLE_NS / 2);
	follow_slope.mult = follow_rate + div64_s64(follow_rate * (error / 16), SETTLE_NS / 16);
}

/* Returns whether there is something to follow. */
static bool follow(void)
{
	if (tactus_clock_is_counter()) {
		follow_slope.mult = 0;
		return false;
	}
	if (!tsc_khz || (check_tsc_unstable() && !boot_cpu_has(X86_FEATURE_HYPERVISOR))) {
		follow_slope.mult = 0;
		tactus_clock_lose();
		return false;
	}
	if (follow_slope.mult && follow_slept == ktime_mono_to_any(0, TK_OFFS_BOOT)) {
		const struct follow_pair now = follow_read(TRIES, 0);

		follow_bend(&now);
	} else {
		follow_begin();
	}
	tactus_clock_set(&follow_slope);
	return true;
}

/* Where Linux comes to the other clock after the look at it, its word starts this anew. */
static void follow_again(struct timer_list *timer)
{
	if (follow())
		mod_timer(&follow_timer, jiffies + msecs_to_jiffies(FOLLOW_MS));
}

static void follow_woken(struct irq_work *work)
{
	mod_timer(&follow_timer, jiffies);
}

void tactus_follow_wake(void)
{
	irq_work_queue(&follow_work);
}

void tactus_follow_start(void)
{
	follow_again(&follow_timer);
}

void tactus_follow_stop(void)
{
	irq_work_sync(&follow_work);
	compat_timer_stop(&follow_timer);
}
