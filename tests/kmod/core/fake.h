/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In place of ring 0's own headers: a processor of the test's, for code of kmod/core that is
 * compiled into a test on Linux. */
#ifndef TESTS_KMOD_CORE_FAKE_H
#define TESTS_KMOD_CORE_FAKE_H
#define KMOD_CORE_CORE_H
#define KMOD_CORE_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/box.h"

#define MSR_TSC_DEADLINE 0x6e0

extern struct core_box core_box;
extern struct tact_bare_user core_user;
extern struct tact_bare_info core_info;

uint64_t read_ticks(void);
void write_msr(uint32_t msr, uint64_t value);
void pause_processor(void);
void core_apic_write(uint32_t reg, uint32_t value);
uint32_t core_apic_read(uint32_t reg);
void core_log_event(uint32_t event);
void core_timer_start(void);
void core_timer_arm(uint64_t deadline);
void core_timer_disarm(void);
void core_timer_interrupt(void);

#endif
