/* SPDX-License-Identifier: GPL-2.0-only */
/* Ring 0 on a core: what its files share. All ring-0 code is in this folder. */
#ifndef KMOD_CORE_CORE_H
#define KMOD_CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>

#include "mailbox.h"

extern struct core_mailbox core_mailbox;
#define core_user (*(volatile struct tact_bare_user *)CORE_USER_PAGE)
#define core_info (*(volatile struct tact_bare_info *)CORE_INFO_PAGE)

/* The words of the box that the other side changes. */
#define core_read(word)         __atomic_load_n(&(word), __ATOMIC_ACQUIRE)
#define core_write(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELEASE)

/* entry.S */
extern char core_stubs[], core_nmi_entry[], core_machine_check_entry[], core_syscall_entry[];
extern char core_stack_end[], core_halt_instruction[];
void core_return(struct core_registers *registers) __attribute__((noreturn));
void core_restart(void) __attribute__((noreturn));
void core_halt(void);

/* arrive.c: makes the processor a core. */
extern uint32_t core_clear_buffers;
void core_arrive(void);

/* trap.c: interrupts and exceptions. */
void core_trap(struct core_registers *registers);
void core_nmi(struct core_registers *registers);
void core_machine_check(struct core_registers *registers);
void core_log_event(uint32_t event);
/* Ring 0 itself or the processor is at fault: halt for good, and say why. */
void core_break(const struct core_registers *registers, uint64_t address) __attribute__((noreturn));

/* upcall.c: events and faults for ring 3. */
void core_upcall_events(struct core_registers *registers, uint64_t ticks);
/* Fault or Linux call: an upcall if the program accepts it, otherwise the end of the run. */
void core_upcall(struct core_registers *registers, unsigned kind, uint64_t cause, uint64_t address,
		 uint64_t ticks);

/* ipi_service.c: requests of the module. */
void core_flush(void);
/* Serve requests, with the registers of ring 3 at hand; may not return. */
void core_ipi_service(const struct core_registers *registers);
/* Show Linux these registers. */
void core_publish(const struct core_registers *registers);
/* Make Linux look at this core. */
void core_ring_linux(void);
void core_wait(void) __attribute__((noreturn));
void core_stop(const struct core_registers *registers, uint64_t reason, uint64_t cause,
	       uint64_t address) __attribute__((noreturn));
/* Ends the core's life, whatever was under way: entry.S, and then core_ended(). */
void core_end(uint32_t state) __attribute__((noreturn));
void core_ended(uint32_t state) __attribute__((noreturn));

/* syscall.c */
#ifdef TACTUS_TEST_HANG
extern bool core_deaf; /* to NMIs */
#else
#define core_deaf false
#endif
void core_syscall(struct core_registers *registers);

/* timer.c */
void core_timer_start(void);
void core_timer_arm(uint64_t deadline);
void core_timer_disarm(void);
void core_timer_interrupt(void);

/* speed.c */
void core_speed_start(void);
void core_speed_stop(void);

/* apic.c */
void core_apic_start(void);
void core_apic_stop(void);
void core_apic_drain(void); /* for a core to which nothing sends interrupts any more */
void core_apic_write(uint32_t reg, uint32_t value);
uint32_t core_apic_read(uint32_t reg);
void core_apic_end_interrupt(void);
bool core_apic_in_service(uint32_t vector);
void core_apic_send(uint32_t apic, uint32_t vector);

#endif
