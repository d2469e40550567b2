/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Our signal handlers. Each runs before what the program does with the signal. They are installed
 * by the raw system call, so that they return by our own restorers.
 */
#define _GNU_SOURCE

#include "handlers.h"

#include <string.h>

#include "arch/context.h"
#include "back_end.h"
#include "base/error.h"
#include "call.h"
#include "program.h"

#define SA_RESTORER_KERNEL 0x04000000ul

static _Atomic bool caught; /* memory faults are caught, because a copy asked for that */

void linux_handler_install(struct linux_handler *handler, uint64_t mask)
{
	const struct kernel_sigaction action = {
		.handler = handler->handler,
		.flags = handler->flags | SA_SIGINFO | SA_RESTART | SA_NODEFER | SA_RESTORER_KERNEL,
		.restorer = handler->way_back,
		.mask = mask,
	};
	struct kernel_sigaction former;

	/* The handler may be installed already, and two threads may install it at once. */
	if (call_sigaction(handler->signal, NULL, &former))
		return;
	if (former.handler != handler->handler)
		handler->former = former;
	call_sigaction(handler->signal, &action, NULL);
	atomic_store_explicit(&handler->stands, true, memory_order_release);
}

/* A handler that has replaced ours meanwhile stays. */
void linux_handler_restore(struct linux_handler *handler)
{
	struct kernel_sigaction now;

	atomic_store_explicit(&caught, false, memory_order_relaxed);
	atomic_store_explicit(&handler->stands, false, memory_order_relaxed);
	call_sigaction(handler->signal, NULL, &now);
	if (now.handler == handler->handler)
		call_sigaction(handler->signal, &handler->former, NULL);
}

bool linux_handler_has_next(const struct linux_handler *handler)
{
	const void *next = __atomic_load_n(&handler->former.handler, __ATOMIC_RELAXED);

	return next != (void *)SIG_DFL && next != (void *)SIG_IGN;
}

/* A fault happens again on return, and then nothing catches it. A signal that was sent is sent
 * again. So is a signal for a call that a filter has refused, because that call is not made
 * again. */
static void default_action(struct linux_handler *handler, const siginfo_t *info)
{
	const struct kernel_sigaction none = {.handler = SIG_DFL};

	call_sigaction(handler->signal, &none, NULL);
	if (info->si_code <= 0 || handler->signal == SIGSYS)
		call3(SYS_tgkill, call3(SYS_getpid, 0, 0, 0), (long)call_gettid(), handler->signal);
}

/*
 * What would be blocked in the program's handler if ours did not run before it. Ours blocks more:
 * the C library's signal 33. If the program's handler jumps out of its frame or does not return
 * soon, and 33 were still blocked, every setuid() of the program would wait.
 */
static uint64_t mask_within(const struct linux_handler *handler, const void *frame)
{
	const ucontext_t *ucontext = frame;
	uint64_t mask;

	/* The kernel's frame holds 64 signals; the bytes behind them do not belong to a
	 * sigset_t. */
	memcpy(&mask, &ucontext->uc_sigmask, sizeof(mask));
	if (!(handler->former.flags & SA_NODEFER))
		mask |= LINUX_BIT(handler->signal);
	return mask | handler->former.mask;
}

/* The program's handler. NULL: it has none, and Linux's default for the signal has been
 * arranged. */
static void *next_of(struct linux_handler *handler, const siginfo_t *info)
{
	void *next = __atomic_load_n(&handler->former.handler, __ATOMIC_RELAXED);

	if (next == (void *)SIG_IGN && info->si_code <= 0)
		return NULL;
	if (next == (void *)SIG_DFL || next == (void *)SIG_IGN) {
		default_action(handler, info);
		return NULL;
	}
	if (handler->former.flags & (unsigned long)SA_RESETHAND)
		__atomic_store_n(&handler->former.handler, (void *)SIG_DFL, __ATOMIC_RELAXED);
	return next;
}

/* On x86-64 a handler may be given more than it takes. */
void linux_handler_chain(struct linux_handler *handler, siginfo_t *info, void *ucontext)
{
	const uint64_t mask = mask_within(handler, ucontext);
	void (*next)(int, siginfo_t *, void *);

	*(void **)&next = next_of(handler, info);
	if (!next)
		return;
	call_sigmask(SIG_SETMASK, &mask, NULL); /* the return restores the old one from the frame */
	next(handler->signal, info, ucontext);
}

void linux_handler_pass(struct linux_handler *handler, void (*way_back)(void), siginfo_t *info,
			void *ucontext)
{
	const void *next = next_of(handler, info);

	if (next)
		hal_arch_signal_pass(next, way_back ? way_back : handler->way_back, handler->signal,
				     info, ucontext);
}

int hal_program_action(int signal, const struct hal_action *action, struct hal_action *former)
{
	struct linux_handler *handler = backend_handler_of(signal);

	if (!handler)
		return -TACT_EINVAL;
	if (!atomic_load_explicit(&handler->stands, memory_order_acquire))
		return -TACT_EPERM;
	if (former)
		*former = (struct hal_action){handler->former.handler, handler->former.flags,
					      handler->former.mask};
	if (action) {
		handler->former.flags = action->flags;
		handler->former.mask = action->mask;
		__atomic_store_n(&handler->former.handler, action->handler, __ATOMIC_RELEASE);
	}
	return 0;
}

/* Also before the start: plain threads may call, on objects that tasks use later. */
static __attribute__((noinline)) bool catch_faults(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS};

	if (hal_arch_missing())
		return false;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct linux_handler *handler = backend_handler_of(signals[i]);

		if (!atomic_load_explicit(&handler->stands, memory_order_relaxed))
			linux_handler_install(handler, LINUX_BIT(LINUX_SIGNAL_SETXID));
	}
	atomic_store_explicit(&caught, true, memory_order_relaxed);
	return true;
}

int hal_copy(void *to, const void *from, size_t bytes)
{
	if (!atomic_load_explicit(&caught, memory_order_relaxed) && !catch_faults())
		return -TACT_EPERM;
	return hal_arch_copy(to, from, bytes);
}
