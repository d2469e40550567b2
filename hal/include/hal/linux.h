/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 4: Linux. Plain Linux threads that wait for the nucleus, the shadows of full
 * tasks, and the way out for words.
 */
#ifndef HAL_LINUX_H
#define HAL_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/context.h"
#include "hal/upcall.h"

struct hal_cpu;

/* A plain Linux thread waits for one word to be set. */
struct hal_word {
	_Atomic uint32_t value; /* 0 by whoever makes it, then the back end's */
};

/* Wait until the word is set; the caller's thread sleeps in Linux, but for a short while that the
 * back end may spin first. Context: linux. */
void hal_linux_wait(struct hal_word *word);
/* Set the word and wake its waiter; the word may be gone at once after. Context: any. */
void hal_linux_wake(struct hal_word *word);

/* Wake all threads of whatever process that wait in Linux for a word in memory that processes share
 * (FUTEX_WAIT without FUTEX_PRIVATE_FLAG). Nothing on sim. Context: any, in primary mode too. */
void hal_linux_wake_shared(_Atomic uint32_t *word);

/* Let a plain Linux thread sleep. Context: linux. */
void hal_linux_pause(uint64_t duration_ns);

/* A variable of the program's environment, or NULL; the process's number. Context: linux. */
const char *hal_environment(const char *name);
uint32_t hal_process_id(void);
/* The name by which the program was started, without folders; never NULL. Context: linux. */
const char *hal_program_name(void);

/* May this Linux thread call in at all? False for foreign host threads on sim. Context: linux. */
bool hal_linux_caller_ok(void);

/* Added to a shadow's Linux priority: equals take turns, as tasks of a round-robin class do. */
#define HAL_IN_TURNS 0x100u
/* For hal_shadow_run(): until its task goes back it is below all that do not make room; of those
 * that do, the more urgent one goes first where there are more of them than CPUs. */
#define HAL_MAKES_ROOM 0x200u
#define HAL_LEVEL      0x0ffu /* the priority alone */

/**
 * Make a shadow: a Linux thread with its own thread-local storage, parked. owner is handed to the
 * upcalls. priority: Linux SCHED_FIFO priority in secondary mode, with HAL_IN_TURNS SCHED_RR's;
 * 0: SCHED_OTHER.
 * Returns 0, -TACT_ENOMEM, -TACT_EAGAIN (Linux's limit of threads). Context: linux.
 */
int hal_shadow_create(struct hal_shadow **shadow, void *owner, unsigned priority, const char *name)
	__attribute__((warn_unused_result));

/**
 * Make the calling Linux thread the shadow of owner; it goes on in secondary mode. owner may be
 * NULL until hal_shadow_own(): the thread has no owner until then, and its faults are a plain
 * thread's.
 * Returns 0, -TACT_EBUSY (it is one already), -TACT_ENOSPC (too little is left of its stack,
 * or it runs on another one, a coroutine's or a signal's), -TACT_ENOMEM. Context: linux.
 */
int hal_shadow_adopt(struct hal_shadow **shadow, void *owner, unsigned priority)
	__attribute__((warn_unused_result));
/* The owner of one that was adopted without, which makes no call and does not park before that has
 * returned. Context: any. */
void hal_shadow_own(struct hal_shadow *shadow, void *owner);
/* The adopted thread becomes plain again, with its former Linux priority; with SCHED_OTHER, where
 * what SCHED_DEADLINE had granted it is another's by now. Context: the shadow itself, secondary
 * mode. */
void hal_shadow_release(struct hal_shadow *shadow);

/*
 * The process is about to exit: from here on a thread of the program's own whose task is destroyed
 * waits for that. To others of its threads it would seem to have ended. Context: linux.
 */
void hal_shadows_exit(void);

/*
 * End a shadow's thread, which must be parked; it ends by itself. An adopted thread does so as by
 * pthread_exit(PTHREAD_CANCELED) in its task's context, which is copied: what the task had begun
 * there is undone as its stack is unwound, as far as this is the thread's own and has unwind
 * tables. Not on sim. Context: any.
 */
void hal_shadow_destroy(struct hal_shadow *shadow, const struct hal_context *context);

/*
 * Of one that was destroyed: may nuc_upcall_shadow_signal() for its owner still be under way? Its
 * memory is not to be another one's then. hal_stop() waits until none is. No, when it has said so
 * once; until then perhaps of another shadow that has its record by now. sim: no. Context: any.
 */
bool hal_shadow_tells(const struct hal_shadow *shadow);

/*
 * Is it a call that the C library makes in the middle of its own work, with locks that only it can
 * give back: for memory, or to wait for another such lock? Context: any.
 */
bool hal_linux_call_is_inner(long number);

/* Owner of the shadow that is running the caller, NULL for any other thread. Context: any. */
void *hal_shadow_owner(void);

/**
 * Go on with the context on the shadow's thread (the task leaves primary mode), with this Linux
 * priority, as in hal_shadow_create(). The context is saved completely and no CPU runs it. Context:
 * stalled.
 */
void hal_shadow_run(struct hal_shadow *shadow, struct hal_context *context, unsigned priority);

/**
 * Leave the shadow: save the caller in context, then call nuc_upcall_parked(owner) on the
 * shadow's own stack and park. Returns on a real-time CPU, stalled, when the nucleus has switched
 * to the context. Context: the shadow, secondary mode.
 */
void hal_shadow_park(struct hal_shadow *shadow, struct hal_context *context);

/**
 * While it is parked the shadow looks at a file descriptor: each time this becomes readable it
 * calls nuc_upcall_watched(watch), and once at the next park if it is so already. Unwatch before it
 * is closed. Return 0; hal_shadow_watch(): -TACT_ENOTSUP (sim), or Linux's error for the
 * descriptor. Context: the shadow itself, secondary mode.
 */
int hal_shadow_watch(struct hal_shadow *shadow, int fd, void *watch)
	__attribute__((warn_unused_result));
void hal_shadow_unwatch(struct hal_shadow *shadow, int fd);

/* The signals that the task blocks, a bit each: what its parked shadow keeps for it. 0 on sim.
 * Context: the task, primary mode, stalled. */
uint64_t hal_shadow_mask(const struct hal_shadow *shadow);

/*
 * Linux priority of the shadow from now on, as in hal_shadow_create() (inheritance reaches Linux
 * owners). Also of one that is parked where hal_cpu.follows: it hears of signals on the CPU that
 * its task computes on, and has to go before it. Context: any.
 */
void hal_shadow_set_priority(struct hal_shadow *shadow, unsigned priority);

/*
 * Where shadows alone keep all CPUs that Linux has for the program, with tasks that have been in
 * secondary mode for so many rounds of nuc_upcall_watch(): of those that are more urgent than kept
 * the one that ran longest makes room from now on (HAL_MAKES_ROOM), or until
 * hal_shadow_set_priority(). kept: the Linux priority of the least urgent task that real-time CPUs
 * compute for, 0 where one is free: Linux would have that CPU for others. Those that make room and
 * are more urgent than that share their CPUs. One that was kept from running for so many rounds,
 * whatever keeps those CPUs, may be on the real-time CPUs, too, for a while, where those sleep.
 * Called in each round. sim: it keeps none. Context: nuc_upcall_watch().
 */
void hal_shadows_make_room(uint32_t rounds, unsigned kept);

/*
 * Would Linux have a CPU for one more that computes at this priority? No, where as many shadows as
 * it has CPUs for the program computed at that or a higher one in the last round of
 * nuc_upcall_watch(). sim: yes. Context: any.
 */
bool hal_shadows_leave_room(unsigned priority);

/* The Linux thread id, for tools. 0 on sim. Context: any. */
uint32_t hal_shadow_tid(const struct hal_shadow *shadow);

/**
 * May a mode switch be reported: the shadow gets SIGXCPU-like notice through the configured
 * signal when it next runs in secondary mode. Context: stalled; the shadow itself.
 */
void hal_shadow_signal(struct hal_shadow *shadow, int reason);

/**
 * Copy memory that may lead nowhere on either side. Returns 0, -TACT_EFAULT (it does; an unknown
 * part was copied), -TACT_EPERM (nobody would notice). Context: any, not stalled, but not where
 * Linux's signals of faults are blocked.
 */
int hal_copy(void *to, const void *from, size_t bytes) __attribute__((warn_unused_result));

/* What a program does with a signal, as Linux's rt_sigaction() has it. */
struct hal_action {
	void *handler;
	uint64_t flags;
	uint64_t mask; /* bit n - 1 for signal n */
};

/**
 * What the program does with a signal of faults, behind the handler of the back end, from now on
 * (action, or NULL) and until now (former, or NULL). Returns 0, -TACT_EINVAL (another signal),
 * -TACT_EPERM (no handler of the back end is there). Context: any.
 */
int hal_program_action(int signal, const struct hal_action *action, struct hal_action *former);

/* Shared memory that tools map read-only (abi/status.h); one segment a program, gone with it. */
void *hal_status_map(size_t bytes);
/* Give it back, once nothing of the program looks at it any more. After hal_stop(). */
void hal_status_unmap(void *memory, size_t bytes);
/* What the segment says of who supplies the CPUs: enum tact_status_core. */
extern const uint32_t hal_status_core;

/* Text to the program's diagnostic output, whole or not at all. Context: any. */
void hal_print(const char *text, size_t bytes);

/* Addresses of the callers of a fault or of the caller, outermost last. Context: any. */
size_t hal_backtrace(uintptr_t instruction, uintptr_t frame, uintptr_t stack_low,
		     uintptr_t stack_high, uintptr_t *addresses, size_t capacity);
/*
 * The code that was interrupted by the event whose upcall the caller is in: fills ip, sp and fp.
 * frame: the caller's frame pointer, on the interrupted stack. Returns false, with nothing filled,
 * when no code was interrupted: it called in itself, and is told of the event in that call.
 * Context: stalled.
 */
bool hal_interrupted(uintptr_t frame, uintptr_t stack_low, uintptr_t stack_high,
		     struct hal_fault *fault);
/* Name an address ("file(function+0x1f)") as far as can be told without allocation. */
size_t hal_symbol(uintptr_t address, char *text, size_t capacity);

/* The nucleus is broken: give back everything, then abort. */
void hal_panic(const char *record) __attribute__((noreturn));
/* A task's fault ends the program, by its policy: the same, but it ends as Linux would end it for
 * such a fault, by that signal; for what is none to Linux (HAL_FAULT_LINUX_CALL, _WATCHDOG) it
 * aborts. */
void hal_end_program(const char *record, enum hal_fault_cause cause) __attribute__((noreturn));

#endif
