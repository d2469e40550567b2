/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What skins need of the nucleus and programs do not: hooks into the mode switches, signals and
 * faults of tasks, a wait that a handler of a signal cannot miss, and the exit of a program whose
 * Linux calls are filtered. Skins are the interfaces that programs were written for, in this tree
 * or outside of it.
 *
 * This header is declared, not frozen. Each version of Tactus may change or remove what it
 * declares, also a version that keeps the rest of the native API compatible. So <tactus/tact.h>
 * does not include it, and its functions have a symbol version of their own, TACTUS_SKIN_0. A
 * program has one function for each hook: a skin that sets a hook replaces the function of another
 * skin.
 */
#ifndef TACTUS_SKIN_H
#define TACTUS_SKIN_H

#include <stdint.h>

#include <tactus/sem.h>
#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Set the function that is called each time a task has left primary mode by a Linux call or on
 * request. It runs in the task, in secondary mode, on the stack of the task.
 * hook: the function, or NULL for none. It gets the task, the number of the Linux call or -1 for a
 *       request, and the address of the instruction.
 * Context: any. Cost: O(1).
 */
void tact_on_switch(void (*hook)(tact_task_t task, long number, uintptr_t ip));

/**
 * Set the function that is called each time a signal has brought a task to secondary mode, before
 * the handler of the signal runs. The wait of the task is over then. The function can leave what
 * the task waited for, so that nothing that the handler causes goes to a wait that has ended. It
 * runs on the Linux thread of the task, with the thread-local data of this thread, but counts as a
 * Linux thread that is not a task. It has 4 KiB of stack, and every signal is blocked.
 * hook: the function, or NULL for none. It gets the signals that are pending for the thread, bit n
 *       - 1 for signal n. 0: other threads have taken them, or the back end is sim.
 * Context: any. Cost: O(1).
 */
void tact_on_handlers(void (*hook)(uint64_t pending));

/**
 * Set the function that is called each time the task of an attached thread was ended by something
 * other than the thread itself: a fault, a Linux call that was not allowed, or tact_task_delete().
 * It runs in the thread, which is a plain thread again, before the stack of the thread is unwound,
 * and with every signal blocked. Not on sim.
 * hook: the function, or NULL for none.
 * Context: any. Cost: O(1).
 */
void tact_on_stop(void (*hook)(void));

/**
 * Read the signals that the calling task blocks, as Linux knows them, without a call of Linux.
 * mask: receives them, bit n - 1 for signal n; or NULL.
 * Returns 0, -TACT_EPERM (not a full task in primary mode: ask Linux).
 * Context: task. Cost: O(1).
 */
int tact_task_signal_mask(uint64_t *mask);

/**
 * As tact_sem_wait(), but only while a word has a given value. The word is compared in primary
 * mode, as the last step before the unit is taken or the wait begins. If handlers of signals change
 * the word, the comparison shows every handler that has run since the caller last read the word,
 * even a very late one. Handlers run in secondary mode, so none can run between the comparison and
 * the wait, and a signal that comes later ends the wait.
 * word:  in memory of the caller. The CPU of the semaphore reads it inside the nucleus, so the
 *        memory has to be present (locked, or touched before).
 * value: the value that it has to have.
 *
 * Returns as tact_sem_wait(), or
 *   -TACT_ESTALE    the word had another value
 *   -TACT_EINVAL    word is NULL; or as for tact_sem_wait()
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: as tact_sem_wait().
 */
int tact_sem_wait_while(tact_sem_t sem, tact_timeout_t timeout, const uint64_t *word,
			uint64_t value);

#define TACT_FRAMES_MAX 64u

/**
 * Tell the calls that a task is in, by its frame pointers: the innermost one first. It has left its
 * CPU, or is the caller. Calls in code without frame pointers are missing, and so are the calls
 * before a signal that interrupted the task.
 * task:      TACT_SELF is the caller.
 * addresses: receives addresses in the code.
 * capacity:  of addresses, 1 to TACT_FRAMES_MAX.
 *
 * Returns the number of addresses, 0 for a task that was not started, or
 *   -TACT_EINVAL  addresses is NULL, or capacity is out of range
 *   -TACT_EBADF   not a task
 *   -TACT_EIDRM   the task was deleted
 *   -TACT_EBUSY   the task runs, on a CPU or in Linux, or has ended
 *   -TACT_EPERM   from a handler; or TACT_SELF, and the caller is no task
 * Context: task, linux. Cost: O(capacity).
 */
int tact_task_backtrace(tact_task_t task, uintptr_t *addresses, uint32_t capacity);

/*
 * A timeout as TACT_FOREVER, for an interface in which only tasks may wait: to a Linux thread that
 * is not a task, the call that waits returns -TACT_EPERM, as it does to a handler, whether it would
 * have to wait or not. So a service need not ask who its caller is before the usual wait.
 */
#define TACT_FOREVER_TASK    tact_timeout_make(TACT_FOREVER_TASK_NS, TACT_TIMEOUT_FOREVER)
#define TACT_FOREVER_TASK_NS (UINT64_MAX / 3) /* no time is so long */

/**
 * As tact_sem_wait(), and tell what was there.
 * units: receives, with 0: the units before, or, if the call has waited, the number of calls that
 *        still wait, as a number that is not positive. With -TACT_EAGAIN: that number. Otherwise it
 *        is not changed.
 *
 * Returns as tact_sem_wait(), or
 *   -TACT_EINVAL    units is NULL; or as for tact_sem_wait()
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: as tact_sem_wait().
 * Source: RTAI, rt_sem_wait().
 */
int tact_sem_wait_units(tact_sem_t sem, tact_timeout_t timeout, int32_t *units);

/* What a program does with a signal, in the form of rt_sigaction(2). */
struct tact_fault_action {
	void *handler; /* or SIG_DFL, SIG_IGN */
	uint64_t flags;
	uint64_t mask; /* bit n - 1 for signal n */
};

/**
 * Change or read what the program does with a signal of faults while Tactus has a handler for it.
 * The handler of Tactus stays the first one. The program's handler serves tasks in secondary mode,
 * like a handler from before the start (start.h, program_faults). sigaction(2) would replace the
 * handler of Tactus.
 * signal: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP; on the thread back end also SIGSYS.
 * action: what the program does from now on; NULL: no change.
 * former: receives what the program did until now, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  another signal
 *   -TACT_EPERM   Tactus has no handler for it: use sigaction(2). This is so before the start and
 *                 after the stop, except for SIGSEGV and SIGBUS once tact_copy() was called; and
 *                 always on the sim back end
 * Context: any. Cost: O(1).
 */
int tact_fault_action(int signal, const struct tact_fault_action *action,
		      struct tact_fault_action *former);

/**
 * From this call on, this library makes no Linux call at a normal exit of the program. This is for
 * a program whose Linux calls are filtered (seccomp) so that such a call would end it. What was
 * taken from Linux is then given back as after a kill, some milliseconds later. Context: any.
 * Cost: O(1).
 */
void tact_exit_as_killed(void);
/* Was tact_exit_as_killed() called? For libraries that have something of their own to give back at
 * the exit. Returns 1 or 0. Context: any. Cost: O(1). */
int tact_exits_as_killed(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
