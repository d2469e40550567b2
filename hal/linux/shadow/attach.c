/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads that become shadows, and plain threads again. The task runs on the thread's own stack,
 * the shadow's loop on a stack that it gets for this time. If a thread ends as a task, the last
 * round of its thread-local data's destructors detaches it. If others end the task, the thread ends
 * as if it had been cancelled where the task was: what the task had begun is undone, and locks of
 * the C library are released.
 */
#define _GNU_SOURCE

#include "shadow/attach.h"

#include <alloca.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "arch/context.h"
#include "back_end.h"
#include "base/error.h"
#include "call.h"
#include "memory/stack.h"
#include "policy.h"
#include "program.h"
#include "rseq.h"
#include "secondary/priority.h"
#include "shadow/lock.h"
#include "shadow/record.h"
#include "shadow/shadow.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define PAGE            4096u
#define END_BYTES       32768u /* where the thread ends; at most half of what its stack has */
#define ABANDONED_BYTES 4096u
#define LOOP_BYTES      16384u /* for the shadow's loop, besides signal frames */
/* This many attached threads get all of that at once. Further ones get at once only the part that
 * most calls use. */
#define WHOLE_MOST    64u
#define AT_ONCE_BYTES 16384u
#define HOLDS_A_ROUND 64u   /* some 30 us each */
#define STACK_MARGIN  8192u /* our frames, and a guard page that may lie within */

/* The caller's stack, as the program made it. It may be small, and its memory may belong to the
 * program. */
struct own_stack {
	uintptr_t base, top;
	size_t guard;
	size_t left; /* below the caller */
};

static _Atomic uint32_t attached_count;

/*
 * A page takes 1.5 µs to come and 0.5 µs to go. Locking some pages changes the program's mappings,
 * for which threads wait for one another. That is most of the cost of an attachment. If there are
 * many attached threads, the housekeeper does the rest (shadow_stacks_lock_round()).
 */
static bool comes_in_parts(const struct own_stack *own, uintptr_t at_once)
{
	return atomic_load_explicit(&attached_count, memory_order_relaxed) >= WHOLE_MOST &&
	       call_gettid() != (uint32_t)linux_program.pid &&
	       !madvise((void *)at_once, own->top - at_once, MADV_POPULATE_WRITE);
}

/*
 * From now on the used part of the stack is there and locked, and below it as much as a created
 * task gets, or as much as is left. Returns an address below which the thread has nothing.
 */
static __attribute__((noinline)) uintptr_t hold_stack(const struct own_stack *own,
						      struct hal_shadow *shadow)
{
	const size_t there = (own->left - STACK_MARGIN) & ~(size_t)(PAGE - 1);
	const size_t held = there < HAL_STACK_DEFAULT ? there : HAL_STACK_DEFAULT;
	volatile char *below = alloca(held);
	uintptr_t begin = (uintptr_t)below & ~(uintptr_t)(PAGE - 1);
	const uintptr_t at_once = begin + held - AT_ONCE_BYTES;

	if (held > AT_ONCE_BYTES && linux_program.options.lock && comes_in_parts(own, at_once)) {
		shadow->attached.to_hold = begin;
		/* Release: the housekeeper reads to_hold after this. */
		atomic_store_explicit(&shadow->attached.to_hold_bytes, own->top - begin,
				      memory_order_release);
		return (uintptr_t)below + held;
	}
	/* The stack of the first thread grows by this store. The lock then makes Linux populate the
	 * rest at once. */
	below[0] = 0;
	if (!linux_program.options.lock || !backend_memory_lock((void *)begin, own->top - begin))
		for (size_t at = held; at > 0; at -= PAGE)
			below[at - PAGE] = 0;
	return (uintptr_t)below + held;
}

/*
 * Returns 0; -TACT_ENOMEM; or -TACT_ENOSPC: the stack is too small for a task, which takes signals
 * on it that a plain thread does not have; or the caller does not run on the thread's stack. It may
 * run on the stack of a coroutine or of signals, and the bounds of such a stack are not known.
 */
static int find_stack(struct own_stack *own)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	pthread_attr_t attributes;
	size_t bytes;
	void *base;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return -TACT_ENOMEM;
	pthread_attr_getstack(&attributes, &base, &bytes);
	pthread_attr_getguardsize(&attributes, &own->guard);
	pthread_attr_destroy(&attributes);
	own->base = (uintptr_t)base;
	own->top = own->base + bytes;
	if (here < own->base || here >= own->top)
		return -TACT_ENOSPC;
	own->left = here - own->base;
	return own->left < hal_stack_minimum() + STACK_MARGIN ? -TACT_ENOSPC : 0;
}

static bool is_first(const struct hal_shadow *shadow)
{
	return shadow->tid == (uint32_t)linux_program.pid;
}

/*
 * Where the thread ends: above the guard, which may count as stack. The first thread, whose stack
 * Linux lets grow, only waits, and does so just below the place where it was attached.
 */
static void find_end(struct hal_shadow *shadow, const struct own_stack *own)
{
	const uintptr_t lowest = own->base + own->guard + PAGE;
	const size_t half = (shadow->attached.own_stack - lowest) / 2;

	shadow->attached.end_bytes = half < END_BYTES ? half : END_BYTES;
	shadow->attached.end_stack =
		is_first(shadow) ? shadow->attached.own_stack - shadow->attached.end_bytes : lowest;
}

static atomic_bool exits;

void hal_shadows_exit(void)
{
	atomic_store_explicit(&exits, true, memory_order_release);
}

static __attribute__((noreturn)) void stay(void)
{
	for (;;)
		call3(SYS_pause, 0, 0, 0);
}

/* Only the thread's own stack is unwound: a stack on which a fault was handled is in use again. */
static bool can_unwind(const struct hal_shadow *shadow)
{
	const uintptr_t at = (uintptr_t)shadow->attached.end.stack_pointer;

	return at >= shadow->attached.stack_base + shadow->attached.end_bytes &&
	       at < shadow->attached.stack_top;
}

/*
 * The program's first thread stays, open to signals, because a process whose first thread has ended
 * cannot be terminated in an orderly way any more. It stays after its work is undone and its
 * thread-local data is destroyed, or at once if its stack cannot be unwound.
 */
static atomic_bool first_ends;

/*
 * The task was stopped, so there is nothing to return to. While the process exits, all threads
 * stay.
 */
static void attached_end(void *argument)
{
	struct hal_shadow *shadow = argument;
	const struct hal_stack loop_stack = shadow->attached.loop_stack;
	const uint64_t mask = shadow->mask;
	const bool all_stay = atomic_load_explicit(&exits, memory_order_acquire);
	const bool first = is_first(shadow), unwinds = shadow->attached.unwinds;

	backend_trap_off(shadow);
	hal_arch_discard(&shadow->loop);
	atomic_fetch_sub_explicit(&attached_count, 1, memory_order_relaxed);
	shadow_cease(shadow);
	linux_stack_put(&loop_stack);
	if (!all_stay)
		nuc_upcall_thread_stopped();
	call_sigmask(SIG_SETMASK, &mask, NULL);
	if (all_stay || (first && !unwinds))
		stay();
	if (first)
		atomic_store_explicit(&first_ends, true, memory_order_relaxed);
	pthread_exit(PTHREAD_CANCELED);
}

/*
 * Go to the thread's own stack, as far below the task's frames as possible: the C library still
 * reads those, to release locks that a stopped call held. For a sanitizer the frames are gone. The
 * outermost of them began above, where the thread was attached.
 */
static void leave_frames(struct hal_shadow *shadow)
{
	hal_arch_stack_clean((void *)shadow->attached.own_stack, ABANDONED_BYTES);
	hal_arch_prepare(&shadow->attached.end, (void *)shadow->attached.end_stack,
			 shadow->attached.end_bytes, shadow->tls, attached_end, shadow);
}

static void attached_loop(void *argument)
{
	struct hal_shadow *shadow = argument;

	/* The first park gets here first: the task is saved by now. */
	shadow_park(shadow);
	shadow_loop(shadow);
	shadow_priority_park(shadow, false);
	shadow->attached.unwinds = can_unwind(shadow);
	if (shadow->attached.unwinds)
		hal_arch_divert(&shadow->attached.end, attached_end, shadow);
	else
		leave_frames(shadow);
	hal_arch_switch(&shadow->loop, &shadow->attached.end);
}

/*
 * The destructors of the program's own data come in any order, and may use what the task has. So
 * this one waits for the last round. The address sanitizer does the same, and a destructor that ran
 * after it would find the sanitizer's data gone.
 */
#ifdef __SANITIZE_ADDRESS__
#define LIFE_ROUNDS (PTHREAD_DESTRUCTOR_ITERATIONS - 1)
#else
#define LIFE_ROUNDS PTHREAD_DESTRUCTOR_ITERATIONS
#endif

static pthread_key_t life;
static bool life_known;

static void lived(void *rounds)
{
	uintptr_t left = (uintptr_t)rounds - 1;

	if (left) {
		pthread_setspecific(life, (void *)left);
		return;
	}
	nuc_upcall_thread_ends();
	if (atomic_load_explicit(&first_ends, memory_order_relaxed) &&
	    call_gettid() == (uint32_t)linux_program.pid)
		stay();
}

static void make_life(void)
{
	life_known = !pthread_key_create(&life, lived);
}

/* Returns 0, or -TACT_ENOMEM: the program has used up the keys, or the memory. */
static int live(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_life);
	return life_known && !pthread_setspecific(life, (void *)(uintptr_t)LIFE_ROUNDS)
		       ? 0
		       : -TACT_ENOMEM;
}

/* Only short code runs there: the nucleus's upcalls, and the handler of set*id signals. The frames
 * of a sanitizer are larger. */
static size_t loop_bytes(void)
{
	return hal_arch_sanitizer_calls() ? HAL_STACK_DEFAULT : hal_stack_minimum() + LOOP_BYTES;
}

int hal_shadow_attach(struct hal_shadow **result, void *owner, unsigned priority)
{
	struct hal_shadow *shadow;
	struct own_stack own;
	cpu_set_t set;
	int error;

	if (linux_shadow_self())
		return -TACT_EBUSY;
	error = find_stack(&own);
	if (!error)
		error = live();
	if (error)
		return error;
	error = shadow_open(owner, priority, &shadow);
	if (error)
		return error;
	error = linux_stack_get(loop_bytes(), &shadow->attached.loop_stack);
	if (error) {
		shadow_close(shadow);
		return error;
	}
	shadow->attached.own_stack = hold_stack(&own, shadow);
	atomic_fetch_add_explicit(&attached_count, 1, memory_order_relaxed);
	shadow->attached.stack_base = own.base;
	shadow->attached.stack_top = own.top;
	linux_policy_get(&shadow->attached.former_policy);
	sched_getaffinity(0, sizeof(cpu_set_t), &shadow->attached.former_affinity);
	shadow_become(shadow);
	find_end(shadow, &own);
	hal_arch_prepare(&shadow->loop, shadow->attached.loop_stack.base,
			 shadow->attached.loop_stack.bytes, shadow->tls, attached_loop, shadow);
	/* Before the affinity: Linux does not confine a SCHED_DEADLINE thread. */
	hal_shadow_set_priority(shadow, priority);
	CPU_AND(&set, &shadow->attached.former_affinity, &linux_program.other_cpus);
	shadow->attached.confined =
		CPU_COUNT(&set) && !CPU_EQUAL(&set, &shadow->attached.former_affinity);
	if (shadow->attached.confined)
		sched_setaffinity(0, sizeof(set), &set);
	*result = shadow;
	return 0;
}

void shadow_stacks_lock_round(void)
{
	unsigned left = HOLDS_A_ROUND;

	for (struct hal_shadow *shadow = shadow_first_known(); shadow && left;
	     shadow = shadow->known) {
		size_t bytes;

		if (!atomic_load_explicit(&shadow->attached.to_hold_bytes, memory_order_relaxed) ||
		    !shadow_lock_try())
			continue;
		/* 0 if the thread ended meanwhile: see shadow_withdraw(). */
		bytes = atomic_exchange(&shadow->attached.to_hold_bytes, 0);
		if (bytes && !backend_memory_lock((void *)shadow->attached.to_hold, bytes))
			(void)madvise((void *)shadow->attached.to_hold, bytes, MADV_POPULATE_WRITE);
		shadow_lock_release();
		left--;
	}
}

void hal_shadow_own(struct hal_shadow *shadow, void *owner)
{
	shadow->owner = owner;
}

/* Linux grants SCHED_DEADLINE only to a thread that may run on all CPUs. If it refuses, the thread
 * becomes SCHED_OTHER, so that it does not keep the priority of its task. */
static void give_back(const struct hal_shadow *shadow)
{
	const struct sched_param none = {0};
	bool done = linux_policy_put(&shadow->attached.former_policy);

	if (shadow->attached.confined || shadow->borrow.borrowed)
		sched_setaffinity(0, sizeof(cpu_set_t), &shadow->attached.former_affinity);
	if (!done && !linux_policy_put(&shadow->attached.former_policy))
		sched_setscheduler(0, SCHED_OTHER, &none);
}

void hal_shadow_release(struct hal_shadow *shadow)
{
	struct hal_stack loop_stack = shadow->attached.loop_stack;
	const bool doomed = shadow->trap.doomed; /* a stray task's thread, which was about to end */
	const uint64_t mask = shadow->mask;

	backend_trap_off(shadow);
	shadow_withdraw(shadow);
	give_back(shadow);
	hal_arch_discard(&shadow->loop);
	atomic_fetch_sub_explicit(&attached_count, 1, memory_order_relaxed);
	shadow_cease(shadow);
	linux_stack_put(&loop_stack);
	linux_rseq_enter();
	if (doomed)
		call_sigmask(SIG_SETMASK, &mask, NULL);
}
