/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers of one CPU: exact order by deadline, then by arming. Context: the owning CPU, stalled.
 */
#ifndef NUC_TIMER_H
#define NUC_TIMER_H

#include "core/cpu.h"

struct nuc_timer {
	struct base_timer node;
	void (*fire)(struct nuc_cpu *cpu, struct nuc_timer *timer);
	uint8_t clock;	 /* enum nuc_clock */
	uint8_t context; /* enum nuc_context: which gravity */
};

/* Reserve room for one more timer on both clocks; 0 or -TACT_ENOMEM. Paired with unreserve. */
int nuc_timer_reserve(struct nuc_cpu *cpu);
void nuc_timer_unreserve(struct nuc_cpu *cpu);

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

/* Fire everything due by now plus reach (what the back end anticipated). */
void nuc_timer_expire(struct nuc_cpu *cpu, uint32_t reach_ns);

/* The next deadline on the monotonic clock, HAL_NO_DEADLINE when none; *lead_ns: its gravity. */
uint64_t nuc_timer_next(struct nuc_cpu *cpu, uint32_t *lead_ns);

#endif
