/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers of one CPU: exact order by deadline, then by arming. Context: the owning CPU, stalled.
 */
#ifndef NUC_TIMER_H
#define NUC_TIMER_H

#include "kernel/cpu.h"

struct nuc_timer {
	struct base_timer node;
	void (*fire)(struct nuc_cpu *cpu, struct nuc_timer *timer);
	uint8_t clock;   /* enum nuc_clock */
	uint8_t context; /* enum nuc_context: which gravity */
	/* Its expiry can only matter while a task below this level runs; NUC_LEVELS: always. */
	uint16_t level;
};

/* Reserve room for one more timer on both clocks; 0 or -TACT_ENOMEM. Paired with unreserve. */
int nuc_timer_reserve(struct nuc_cpu *cpu);
void nuc_timer_unreserve(struct nuc_cpu *cpu);

/* The same for count timers that are armed on the monotonic clock only; all of them or none. */
int nuc_timer_reserve_monotonic(struct nuc_cpu *cpu, unsigned count);
void nuc_timer_unreserve_monotonic(struct nuc_cpu *cpu, unsigned count);

void nuc_timer_init(struct nuc_timer *timer,
		    void (*fire)(struct nuc_cpu *cpu, struct nuc_timer *timer),
		    enum nuc_context context);

/* Arm or re-arm at an instant of the clock. */
void nuc_timer_arm(struct nuc_cpu *cpu, struct nuc_timer *timer, enum nuc_clock clock,
		   uint64_t deadline_ns);
void nuc_timer_cancel(struct nuc_cpu *cpu, struct nuc_timer *timer);

static inline bool nuc_timer_armed(const struct nuc_timer *timer)
{
	return base_timer_armed(&timer->node);
}

/*
 * How many fire in one section. A firing wakes a task or queues a handler, some 100 ns: the longest
 * that a burst holds messages and more urgent tasks up is then that of a few switches, while what a
 * section costs beside (an event, a decision, a shot) is small against what it gets done.
 */
#define NUC_TIMER_BATCH 8

/*
 * Fire what is due by now plus reach (what the back end anticipated), a batch at most, in order.
 * True: more is due. The shot for it, nuc_timer_next_above(), comes at once when what is left is
 * known to matter to whoever runs by then; under a handler when the queued ones have run; else not
 * before the running task had as long as the batch took, so that a burst of what has to wait leaves
 * it half the processor.
 */
bool nuc_timer_expire(struct nuc_cpu *cpu, uint32_t reach_ns);

/*
 * The next deadline that concerns a CPU on which a task of this priority runs: an interruption for
 * a release that has to wait anyway would only cost time. What is passed over is served by
 * nuc_timer_catch_up_one() at the next call of the running task and by nuc_timer_catch_up() at the
 * next event, before anything else, so that nothing sees a difference in order. Only a message may
 * come between two batches.
 */
uint64_t nuc_timer_next_above(struct nuc_cpu *cpu, uint32_t priority, uint32_t *lead_ns);
/* Some of what was passed over is due: fire it, so many at most. True: more is due. */
bool nuc_timer_serve_skipped(struct nuc_cpu *cpu, uint32_t most);

/* Is something due that was passed over? Whatever the answer, the shot has to be looked at again,
 * if anything was passed over. */
static inline bool nuc_timer_skipped_due(struct nuc_cpu *cpu)
{
	if (__builtin_expect(cpu->skipped_ns == HAL_NO_DEADLINE, 1))
		return false;
	cpu->dirty |= NUC_DIRTY_SHOT;
	return hal_now_ns() >= cpu->skipped_ns;
}

/* True: more is due than a batch. */
static inline bool nuc_timer_catch_up(struct nuc_cpu *cpu)
{
	return nuc_timer_skipped_due(cpu) && nuc_timer_serve_skipped(cpu, NUC_TIMER_BATCH);
}

/* True: one has fired, which is as much as a call's section may last. The caller ends the section,
 * and comes again. */
static inline bool nuc_timer_catch_up_one(struct nuc_cpu *cpu)
{
	if (!nuc_timer_skipped_due(cpu))
		return false;
	(void)nuc_timer_serve_skipped(cpu, 1);
	return true;
}

/* The next deadline on the monotonic clock, HAL_NO_DEADLINE when none; *lead_ns: its gravity. */
uint64_t nuc_timer_next(struct nuc_cpu *cpu, uint32_t *lead_ns);

/* When what ends a wait now was due: not when it is looked at, which another task may put off. */
uint64_t nuc_wake_up_ns(const struct nuc_cpu *cpu);

#endif
