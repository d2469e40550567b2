/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 4: Linux. Plain Linux threads that wait for the nucleus, the shadows of full
 * tasks, and the program's diagnostic output.
 */
#ifndef HAL_LINUX_H
#define HAL_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/context.h"
#include "hal/upcall.h"

struct hal_cpu;

/* A word for which a plain Linux thread waits. */
struct hal_word {
	_Atomic uint32_t value; /* its creator sets it to 0; then it belongs to the back end */
};

/* Wait until the word is set. The thread of the caller sleeps in Linux; the back end may spin for a
 * short while before. Context: linux. */
void hal_linux_wait(struct hal_word *word);
/* Set the word and wake its waiter. The memory of the word may be gone immediately afterwards.
 * Context: any. */
void hal_linux_wake(struct hal_word *word);

/* Wake all threads, of whatever process, that wait in Linux for a word in memory that processes
 * share (FUTEX_WAIT without FUTEX_PRIVATE_FLAG). No effect on sim. Context: any, also in primary
 * mode. */
void hal_linux_wake_shared(_Atomic uint32_t *word);

/* Let a plain Linux thread sleep. Context: linux. */
void hal_linux_pause(uint64_t duration_ns);

/* A variable of the program's environment, or NULL. The number of the process. Context: linux. */
const char *hal_environment(const char *name);
uint32_t hal_process_id(void);
/* The name by which the program was started, without folders; never NULL. Context: linux. */
const char *hal_program_name(void);

/* May this Linux thread call the nucleus at all? False for other host threads on sim, and in the
 * child of a fork(). Context: linux. */
bool hal_linux_caller_ok(void);

/* Added to the Linux priority of a shadow: shadows of the same priority take turns, like the tasks
 * of a round-robin class. */
#define HAL_IN_TURNS 0x100u
/* Added to the priority for hal_shadow_run(): the shadow makes room. Until its task goes back to
 * primary mode, it runs below all shadows that do not make room. Among the shadows that make room,
 * the more urgent ones run first if there are more of them than CPUs. */
#define HAL_DEMOTED 0x200u
#define HAL_LEVEL   0x0ffu /* the priority alone */

/**
 * Make a shadow: a Linux thread with its own thread-local storage, parked.
 * owner:    passed to the upcalls.
 * priority: Linux SCHED_FIFO priority in secondary mode; with HAL_IN_TURNS, SCHED_RR priority; 0:
 *           SCHED_OTHER.
 * Returns 0, -TACT_ENOMEM (no memory, or Linux's limit of threads). Context: linux.
 */
int hal_shadow_create(struct hal_shadow **shadow, void *owner, unsigned priority, const char *name)
	__attribute__((warn_unused_result));

/**
 * Make the calling Linux thread the shadow of owner. The thread continues in secondary mode. owner
 * may be NULL until hal_shadow_own(): until then the thread has no owner, and its faults are those
 * of a plain thread.
 * Returns 0, -TACT_EBUSY (the thread is a shadow already), -TACT_ENOSPC (too little of its stack is
 * left, or it runs on another stack, of a coroutine or of a signal handler), -TACT_ENOMEM.
 * Context: linux.
 */
int hal_shadow_attach(struct hal_shadow **shadow, void *owner, unsigned priority)
	__attribute__((warn_unused_result));
/* Set the owner of a shadow that was attached without one. The shadow must make no call and must
 * not park before this call has returned. Context: any. */
void hal_shadow_own(struct hal_shadow *shadow, void *owner);
/* The attached thread becomes plain again, with its former Linux policy and priority. It becomes
 * SCHED_OTHER if its policy was SCHED_DEADLINE and Linux has granted the time to another thread
 * meanwhile. Context: the shadow itself, secondary mode. */
void hal_shadow_release(struct hal_shadow *shadow);

/*
 * The process is about to exit. From here on a thread of the program whose task is destroyed waits
 * for the exit, because other threads of the program would see it end otherwise.
 * Context: linux.
 */
void hal_shadows_exit(void);

/*
 * End the thread of a shadow, which must be parked. The thread ends by itself. An attached thread
 * ends as by pthread_exit(PTHREAD_CANCELED) in the context of its task, which is copied. Its stack
 * is unwound, so what the task had begun there is undone, as far as the stack belongs to the thread
 * and has unwind tables. Not on sim.
 * Context: any.
 */
void hal_shadow_destroy(struct hal_shadow *shadow, const struct hal_context *context);

/*
 * For a shadow that was destroyed: may nuc_upcall_shadow_signal() for its owner still be under way?
 * Then the memory of the owner must not become that of another one. hal_stop() waits until no such
 * call is under way. Once the answer was no, it stays no. Before that, a yes may belong to another
 * shadow that uses the record by now. On sim: no.
 * Context: any.
 */
bool hal_shadow_may_signal(const struct hal_shadow *shadow);

/*
 * Is this a system call that the C library makes in the middle of its own work (to get memory, or
 * to wait for a lock of its own), while it holds locks that only it can release?
 * Context: any.
 */
bool hal_linux_call_is_inner(long number);

/* The owner of the shadow that runs the caller; NULL for any other thread. Context: any. */
void *hal_shadow_owner(void);

/**
 * Continue with the context on the thread of the shadow (the task leaves primary mode), with this
 * Linux priority, as in hal_shadow_create(). The context is saved completely, and no CPU runs it.
 * Context: stalled.
 */
void hal_shadow_run(struct hal_shadow *shadow, struct hal_context *context, unsigned priority);

/**
 * Leave the shadow: save the caller in context, then call nuc_upcall_parked(owner) on the shadow's
 * own stack, and park. Returns on a real-time CPU, stalled, when the nucleus has switched to the
 * context.
 * Context: the shadow, secondary mode.
 */
void hal_shadow_park(struct hal_shadow *shadow, struct hal_context *context);

/**
 * Let the shadow watch a file descriptor while it is parked. Each time the descriptor becomes
 * readable, the shadow calls nuc_upcall_watched(watch); if it is readable already, once at the next
 * park. hal_shadow_unwatch() has to come before the descriptor is closed.
 * Return 0; hal_shadow_watch(): -TACT_ENOTSUP (sim), or Linux's error for the descriptor.
 * Context: the shadow itself, secondary mode.
 */
int hal_shadow_watch(struct hal_shadow *shadow, int fd, void *watch)
	__attribute__((warn_unused_result));
void hal_shadow_unwatch(struct hal_shadow *shadow, int fd);

/* The signals that the task blocks, one bit each, as the parked shadow keeps them. 0 on sim.
 * Context: the task, primary mode, stalled. */
uint64_t hal_shadow_mask(const struct hal_shadow *shadow);

/*
 * Set the Linux priority of the shadow, as in hal_shadow_create() (so inheritance reaches owners
 * that are in Linux). If hal_cpu.follows is set, also for a parked shadow: it has to learn of
 * signals on the CPU on which its task computes, so it has to run before its task.
 * Context: any.
 */
void hal_shadow_set_priority(struct hal_shadow *shadow, unsigned priority);

/*
 * Called in each round of nuc_upcall_watch(). If shadows have kept all CPUs that Linux has for the
 * program busy for this many rounds, with tasks that stayed in secondary mode, one of these shadows
 * makes room (HAL_DEMOTED): the one that ran longest among those that are more urgent than kept.
 * It makes room until its task goes back to primary mode, or until hal_shadow_set_priority().
 * Shadows that make room and are more urgent than kept take turns on the CPUs. A shadow that was
 * kept from running for this many rounds, whatever keeps the CPUs of Linux, may also run on the
 * real-time CPUs for a while, when these sleep.
 * kept: the Linux priority of the least urgent task for which real-time CPUs compute. 0: a
 *       real-time CPU is free, and Linux would have it for other tasks.
 * On sim shadows keep no CPU. Context: nuc_upcall_watch().
 */
void hal_shadows_rebalance(uint32_t rounds, unsigned kept);

/*
 * Would Linux have a CPU for one more shadow that computes at this priority? No, if in the last
 * round of nuc_upcall_watch() as many shadows computed at this or a higher priority as Linux has
 * CPUs for the program. On sim: yes.
 * Context: any.
 */
bool hal_shadows_have_capacity(unsigned priority);

/* The Linux thread id, for tools. 0 on sim. Context: any. */
uint32_t hal_shadow_tid(const struct hal_shadow *shadow);

/**
 * Report a mode switch to the program: the shadow gets the configured signal (SIGXCPU) when it next
 * runs in secondary mode. reason: the value of the signal.
 * Context: stalled; the shadow itself.
 */
void hal_shadow_signal(struct hal_shadow *shadow, int reason);

/**
 * Copy memory although either address may be bad.
 * Returns 0, -TACT_EFAULT (an address is bad; an unknown part was copied), -TACT_EPERM (a fault
 * could not be caught; nothing was copied).
 * Context: any, not stalled, and not where Linux's signals of faults are blocked.
 */
int hal_copy(void *to, const void *from, size_t bytes) __attribute__((warn_unused_result));

/* What a program does with a signal, in the form of Linux's rt_sigaction(). */
struct hal_action {
	void *handler;
	uint64_t flags;
	uint64_t mask; /* bit n - 1 for signal n */
};

/**
 * Change or read what the program does with a signal of faults, after the handler of the back end.
 * action: from now on; NULL: no change. former: receives what it was until now, or NULL.
 * Returns 0, -TACT_EINVAL (another signal), -TACT_EPERM (the back end has no handler for it).
 * Context: any.
 */
int hal_program_action(int signal, const struct hal_action *action, struct hal_action *former);

/* Get the shared memory that tools map read-only (abi/status.h). There is one segment for each
 * program, and it ends with the program. */
void *hal_status_map(size_t bytes);
/* Give it back when nothing in the program reads it any more, after hal_stop(). */
void hal_status_unmap(void *memory, size_t bytes);
/* Which back end supplies the CPUs, as the segment names it: enum tact_status_core. */
extern const uint32_t hal_status_back_end;

/* Write a text to the program's diagnostic output, whole or not at all. Context: any. */
void hal_print(const char *text, size_t bytes);

/* Get the addresses of the callers of a fault, or of the caller; the outermost one is the last.
 * Context: any. */
size_t hal_backtrace(uintptr_t instruction, uintptr_t frame, uintptr_t stack_low,
		     uintptr_t stack_high, uintptr_t *addresses, size_t capacity);
/*
 * Get the code that was interrupted by the event in whose upcall the caller is: fills ip, sp and
 * fp.
 * frame: the frame pointer of the caller, on the interrupted stack.
 * Returns false, with nothing filled, if no code was interrupted: the code had called the nucleus,
 * and gets the event within that call.
 * Context: stalled.
 */
bool hal_interrupted(uintptr_t frame, uintptr_t stack_low, uintptr_t stack_high,
		     struct hal_fault *fault);
/* Name an address ("file(function+0x1f)") as far as that is possible without allocation. */
size_t hal_symbol(uintptr_t address, char *text, size_t capacity);

/* The nucleus is broken: give back everything, then abort. */
void hal_panic(const char *record) __attribute__((noreturn));
/* A fault of a task ends the program, by its policy: as hal_panic(), but the program ends by the
 * signal that Linux sends for such a fault. If Linux has none for it (HAL_FAULT_LINUX_CALL,
 * HAL_FAULT_WATCHDOG), the program aborts. */
void hal_end_program(const char *record, enum hal_fault_cause cause) __attribute__((noreturn));

#endif
