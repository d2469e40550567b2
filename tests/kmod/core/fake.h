/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces ring 0's own headers by a processor of the test, for code of kmod/core that is compiled
 * into a test on Linux. The prototypes are repeated, because this header stands in place of theirs.
 */
#ifndef TESTS_KMOD_CORE_FAKE_H
#define TESTS_KMOD_CORE_FAKE_H
#define KMOD_CORE_CORE_H
#define KMOD_CORE_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/mailbox.h"

#define MSR_PRED_CMD     0x49
#define MSR_TSC_DEADLINE 0x6e0
#define MSR_FS_BASE      0xc0000100
#define MSR_GS_BASE      0xc0000101

#define FLAGS_FIXED     0x2u
#define FLAGS_INTERRUPT 0x200u

#define core_read(word)         __atomic_load_n(&(word), __ATOMIC_ACQUIRE)
#define core_write(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELEASE)

extern struct core_mailbox core_mailbox;
extern struct tact_bare_user core_user;
extern struct tact_bare_info core_info;

uint64_t read_ticks(void);
void write_msr(uint32_t msr, uint64_t value);
uint64_t read_msr(uint32_t msr);
void write_page_table(uint64_t value);
void pause_processor(void);
void core_apic_write(uint32_t reg, uint32_t value);
uint32_t core_apic_read(uint32_t reg);
void core_apic_send(uint32_t apic, uint32_t vector);
void core_apic_stop(void);
void core_log_event(uint32_t event);
void core_flush(void);
void core_ipi_service(const struct core_registers *registers);
void core_publish(const struct core_registers *registers);
void core_ring_linux(void);
void core_wait(void) __attribute__((noreturn));
void core_stop(const struct core_registers *registers, uint64_t reason, uint64_t cause,
	       uint64_t address) __attribute__((noreturn));
void core_end(uint32_t state) __attribute__((noreturn));
void core_ended(uint32_t state) __attribute__((noreturn));
void core_return(struct core_registers *registers) __attribute__((noreturn));
void core_restart(void) __attribute__((noreturn));
void core_halt(void);
void core_syscall(struct core_registers *registers);
void core_upcall(struct core_registers *registers, unsigned kind, uint64_t cause, uint64_t address,
		 uint64_t ticks);
void core_speed_start(void);
void core_speed_stop(void);
void core_timer_start(void);
void core_timer_arm(uint64_t deadline);
void core_timer_disarm(void);
void core_timer_interrupt(void);

#endif
