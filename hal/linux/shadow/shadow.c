/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shadows: the Linux threads of full tasks. While the task is in primary mode, its shadow is parked
 * in shadow_loop(), on a stack of its own, with every signal blocked. The shadow shares
 * thread-local storage with the running task, so no handler may run on it. For a signal that the
 * task would take, the nucleus first brings the task here. Attached threads: attach.c.
 */
#define _GNU_SOURCE

#include "shadow/shadow.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "base/error.h"
#include "call.h"
#include "memory/fault_stack.h"
#include "policy.h"
#include "program.h"
#include "rseq.h"
#include "sanitized.h"
#include "secondary/priority.h"
#include "shadow/lock.h"
#include "shadow/parked.h"
#include "shadow/record.h"
#include "shadow/wait.h"
#include "tls.h"

#define CREATED_STACK_BYTES (256u * 1024u)

struct hal_shadow *linux_shadow_self(void)
{
	struct hal_self *self = hal_arch_self();
	struct hal_shadow *shadow = (struct hal_shadow *)self;

	if (!self || self->kind != HAL_SELF_SHADOW)
		return NULL;
	if (shadow->tls != hal_arch_tls()) {
		hal_arch_self_set(NULL);
		return NULL;
	}
	return shadow;
}

bool hal_linux_call_is_inner(long number)
{
	switch (number) {
	case SYS_brk:
	case SYS_futex:
	case SYS_madvise:
	case SYS_mmap:
	case SYS_mprotect:
	case SYS_mremap:
	case SYS_munmap:
		return true;
	default:
		return false;
	}
}

void *hal_shadow_owner(void)
{
	const struct hal_shadow *shadow = linux_shadow_self();

	return shadow ? shadow->owner : NULL;
}

void linux_shadow_unblock(struct hal_self *self)
{
	const struct hal_shadow *shadow = (struct hal_shadow *)self;

	self->pending = 0;
	self->stalled = 0;
	call_sigmask(SIG_SETMASK, &shadow->mask, NULL);
}

/* The task comes or goes, or stays where it was. */
static void note_stay(struct hal_shadow *shadow, bool here)
{
	const uint32_t stay = atomic_load_explicit(&shadow->stay, memory_order_relaxed);

	/* Release: a thread that finds the task here reads what was written to the record
	 * before. */
	if (SHADOW_IS_HERE(stay) != here)
		atomic_store_explicit(&shadow->stay, stay + 1, memory_order_release);
}

void shadow_withdraw(struct hal_shadow *shadow)
{
	backend_calls_await();
	shadow_lock();
	note_stay(shadow, false);
	atomic_store(&shadow->park.asleep, false);
	atomic_store(&shadow->priority.stands_back, false);
	shadow->borrow.rounds = 0;
	atomic_store(&shadow->attached.to_hold_bytes, 0);
	shadow_priority_restore(shadow);
	shadow_unlock();
}

void shadow_close(struct hal_shadow *shadow)
{
	shadow_withdraw(shadow);
	shadow_fault_stack_put(&shadow->fault_stack);
	shadow_wait_close(shadow);
	shadow->tls = 0;
	atomic_store(&shadow->parked, true); /* no context will come */
	shadow_record_put(shadow);
}

void shadow_cease(struct hal_shadow *shadow)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t now;

	hal_arch_self_set(NULL);
	call_sigaltstack(NULL, &now);
	if (now.ss_sp == shadow->fault_stack.ss_sp)
		call_sigaltstack(&none, NULL);
	shadow_close(shadow);
}

void shadow_park(struct hal_shadow *shadow)
{
	note_stay(shadow, false);
	shadow_priority_park(shadow, true);
	nuc_upcall_parked(shadow->owner);
}

/* hal_leave() or a signal frame ends the section in which the context continues; signals wait until
 * then. */
void shadow_loop(struct hal_shadow *shadow)
{
	struct hal_context *context;

	for (;;) {
		context = shadow_parked(shadow);
		if (!context)
			return;
		note_stay(shadow, true);
		shadow->self.stalled = 1;
		shadow->self.pending = 1;
		hal_arch_switch(&shadow->loop, context);
		shadow_park(shadow);
	}
}

int shadow_open(void *owner, unsigned priority, struct hal_shadow **result)
{
	struct hal_shadow *shadow = shadow_record_get();

	if (!shadow)
		return -TACT_ENOMEM;
	memset(shadow, 0, offsetof(struct hal_shadow, known));
	shadow->self.self = &shadow->self;
	shadow->self.kind = HAL_SELF_SHADOW;
	shadow->owner = owner;
	shadow->priority.given = priority;
	if (shadow_wait_open(shadow) || shadow_fault_stack_get(&shadow->fault_stack)) {
		shadow_close(shadow);
		return -TACT_ENOMEM;
	}
	*result = shadow;
	return 0;
}

void shadow_become(struct hal_shadow *shadow)
{
	stack_t given;

	shadow->tid = call_gettid();
	shadow->tls = hal_arch_tls();
	shadow->memory_rights = hal_arch_rights();
	shadow->loop.thread_pointer = shadow->tls;
	/* A thread that has a signal stack keeps it, because its handlers may depend on its place
	 * and size. */
	call_sigaltstack(NULL, &given);
	if (given.ss_flags & SS_DISABLE)
		call_sigaltstack(&shadow->fault_stack, NULL);
	linux_rseq_leave();
	hal_arch_sanitizer_thread();
	hal_arch_self_set(&shadow->self);
	note_stay(shadow, true);
}

static void *created_main(void *argument)
{
	struct hal_shadow *shadow = argument;

	shadow_become(shadow);
	if (shadow->name[0])
		pthread_setname_np(pthread_self(), shadow->name);
	note_stay(shadow, false);
	atomic_store(&shadow->parked, true);
	atomic_store_explicit(&shadow->ready, 1, memory_order_release);
	call_futex_wake(&shadow->ready, 1);
	shadow_loop(shadow);
	shadow_cease(shadow);
	linux_ends();
	return NULL;
}

int hal_shadow_create(struct hal_shadow **result, void *owner, unsigned priority, const char *name)
{
	uint64_t all = SHADOW_PARKED_MASK;
	struct hal_shadow *shadow;
	pthread_attr_t attributes;
	pthread_t thread;
	int error = shadow_open(owner, priority, &shadow);

	if (error)
		return error;
	if (name)
		strncpy(shadow->name, name, sizeof(shadow->name) - 1);
	pthread_attr_init(&attributes);
	linux_set_stack(&attributes, CREATED_STACK_BYTES);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	/* The thread begins with all signals blocked; the task begins with its creator's mask, as
	 * threads do. */
	call_sigmask(SIG_SETMASK, &all, &shadow->mask);
	shadow_signals_choose(shadow);
	error = linux_birth(&thread, &attributes, created_main, shadow);
	call_sigmask(SIG_SETMASK, &shadow->mask, NULL);
	pthread_attr_destroy(&attributes);
	if (error) {
		shadow_close(shadow);
		return -TACT_ENOMEM;
	}
	while (!atomic_load_explicit(&shadow->ready, memory_order_acquire))
		call_futex_wait(&shadow->ready, 0, NULL);
	call3(SYS_sched_setaffinity, shadow->tid, sizeof(cpu_set_t),
	      (long)&linux_program.other_cpus);
	hal_shadow_set_priority(shadow, priority);
	*result = shadow;
	return 0;
}

void hal_shadow_park(struct hal_shadow *shadow, struct hal_context *context)
{
	const uint64_t all = SHADOW_PARKED_MASK;
	uint64_t mask;

	call_sigmask(SIG_SETMASK, &all, &mask);
	/* A thread that parks in one of our handlers has 33 blocked, but must neither go on nor end
	 * with that. */
	if (!shadow->trap.doomed) {
		shadow->mask = mask & SHADOW_PARKED_MASK;
		shadow_signals_choose(shadow);
	}
	/* The context of an attached thread was never prepared. It gets the thread's TLS base,
	 * too. */
	context->thread_pointer = shadow->tls;
	hal_arch_switch(context, &shadow->loop);
}

uint32_t hal_shadow_tid(const struct hal_shadow *shadow)
{
	return shadow->tid;
}

/* Sent to the parked thread, which blocks the signal. It is taken when the task runs there. */
void hal_shadow_signal(struct hal_shadow *shadow, int reason)
{
	siginfo_t info = {.si_signo = linux_program.options.mode_signal, .si_code = SI_QUEUE};

	info.si_value.sival_int = reason;
	hal_arch_syscall(SYS_rt_tgsigqueueinfo, linux_program.pid, shadow->tid,
			 linux_program.options.mode_signal, (long)&info, 0, 0);
}
