/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bare back end's own records. A real-time CPU is a core that the kernel module took from
 * Linux. Its Linux side (shadows, stacks, waiters, output) is that of the thread back end.
 * README.md explains the mechanism.
 */
#ifndef BARE_BARE_H
#define BARE_BARE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "abi/bare.h"
#include "port.h"
#include "program.h"

/* A fault is reported on its stack; the other kinds only save a few words there. */
#define BARE_UPCALL_STACK_BYTES 32768u

enum bare_leave {
	BARE_LEAVE_DONE,  /* nuc_upcall_start() has returned */
	BARE_LEAVE_PANIC, /* hal_panic() on the core */
};

/* How long a processor takes for an interrupt. */
#define BARE_INTERRUPT_NS 500u
#define BARE_CALLS        512u
#define BARE_CALL_BYTES   128u

/* A Linux call that a core requests, with a copy of what its argument points to. */
struct bare_call {
	long number;
	long arguments[6];
	unsigned char data[BARE_CALL_BYTES];
};

enum bare_page {
	BARE_PAGE_NONE,
	BARE_PAGE_WANTED,
	BARE_PAGE_ADDED,
	BARE_PAGE_THERE,
	BARE_PAGE_REFUSED,
	BARE_PAGE_NO_ROOM
};

/* From a core, which is the only writer of `in`, to the doorbell's thread. */
struct bare_calls {
	_Alignas(LINUX_CACHE_LINE) _Atomic uint32_t in;
	_Alignas(LINUX_CACHE_LINE) _Atomic uint32_t out;
	_Atomic uint32_t rung; /* the thread has been told */
	_Atomic uint32_t page; /* enum bare_page */
	uintptr_t page_address;
	uintptr_t room; /* address of HAL_CORE_WAY_BACK bytes that must be there, too; 0: none */
	struct bare_call calls[BARE_CALLS];
};

/* hal_cpu.port points to port; hal/arch/x86_64/core_entry.S finds the user page just before it. */
struct bare_core {
	struct tact_bare_user *user;
	_Alignas(LINUX_CACHE_LINE) struct linux_port port;
	const struct tact_bare_info *info;
	uint32_t index; /* the module's */
	pthread_t owner;
	bool owned;
	struct hal_stack stack;
	char *upcall_stacks;
	struct bare_calls *calls;
	uintptr_t served_ip, served_address; /* of the last page that was served */
	volatile uint64_t page_faults;       /* in steps, see hal_cpu.page_faults */
};
_Static_assert(offsetof(struct bare_core, port) == 64, "core_entry.S");

struct bare_program {
	int device; /* -1: closed */
	const struct tact_bare_clock *clock;
	struct bare_core *cores;
	cpu_set_t with_siblings; /* Linux CPUs that are taken with all their siblings */
};
extern struct bare_program bare_program;

static inline struct bare_core *bare_core_of(struct hal_cpu *cpu)
{
	return (struct bare_core *)((char *)cpu->port - offsetof(struct bare_core, port));
}

/*
 * event.c. The module respects the mask, and this library the stall bit. Masked means: an event was
 * logged in the pending word, or the code that set the mask checks for events by itself. Context of
 * these: stalled.
 */
void bare_mask(struct bare_core *core);
/* Take what was logged: TACT_BARE_EVENT_*. */
uint32_t bare_take(struct bare_core *core);
/* Events that were logged meanwhile go to the pending word. */
void bare_unmask(struct bare_core *core);

/* time.c: use the module's clock from now on; and no longer. Context: linux. */
int bare_time_start(const struct tact_bare_clock *clock);
void bare_time_stop(const struct tact_bare_clock *clock);
/* In the child of a fork, which has no clock page. */
void bare_time_forget(void);
/* CLOCK_MONOTONIC, and how far the wall clock is ahead. False: Linux must be asked. Context:
 * any. */
bool bare_time_read(uint64_t *monotonic_ns, int64_t *wall_offset_ns);

/* vdso.c: make the vDSO's clocks read the module's page. Done when the library is loaded, and tried
 * once more at the start. False: they do not. Context: linux, before cores run. */
bool bare_vdso_take(void);

/* serve.c: make the calls that the core has requested. Context: the doorbell's thread. */
void bare_calls_make(struct bare_core *core);
/* May threads wait for what cores have requested? After false no thread waits or reads the requests
 * any more. Context: linux; all requests are served before false is given. */
void bare_calls_served(bool served);
/* Make Linux map a page of the program that the code at ip lacks, and the pages at room, if room is
 * not 0. BARE_PAGE_REFUSED: there is no such page, or it was mapped already. BARE_PAGE_NO_ROOM:
 * only room is missing. Otherwise the code may go on. Context: stalled. */
enum bare_page bare_page_request(struct bare_core *core, uintptr_t address, uintptr_t ip,
				 uintptr_t room);

/* owner.c. Return 0 or -errno. Context: linux. */
int bare_doorbell_start(void);
void bare_doorbell_stop(void);
int bare_owner_start(struct bare_core *core);
void bare_owner_join(struct bare_core *core);

/* panic.c: the owner of a core that panicked prints the record and ends the program. */
void bare_panicked(void) __attribute__((noreturn));
/* A core has stopped and cannot go on. */
void bare_stopped(const struct bare_core *core, const struct tact_bare_run *run, int error)
	__attribute__((noreturn));

/* signals.c: faults of shadows. Context: linux. */
void bare_signals_install(void);
void bare_signals_restore(void);

/* siblings.c: apply the option, after linux_cpus_select(), or report what stays with Linux. Returns
 * 0, or -TACT_Exxx with the reason. */
int bare_siblings_take(const uint32_t linux_cpus[], char reason[HAL_REASON_BYTES]);

/* options.c */
int bare_options_parse(const char *text, struct linux_options *options,
		       char reason[HAL_REASON_BYTES]);

#endif
