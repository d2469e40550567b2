/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The older interfaces of signals, made of the newer ones, so that this library sees their changes.
 * The C library's own versions would change signals unseen. Source: POSIX.1-2017, signal(),
 * sighold(), sigset(); siginterrupt(3), sysv_signal(3), sigvec(3), sigpause(3).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "posix/libc/symbol.h"
#include "posix/state/signal_bits.h"
#include "posix/state/vfork_child.h"

sighandler_t bsd_signal(int signal, sighandler_t handler);
/* The header gives this function one of two names, depending on how the program is built. */
int posix_bsd_sigpause(int mask) __asm__(POSIX_SYMBOL(sigpause));
int posix_x_open_sigpause(int signal) __asm__(POSIX_SYMBOL(__xpg_sigpause));
int __sigpause(int signal_or_mask, int is_signal);

/* Signals for which signal() installs handlers that interrupt. */
static _Atomic uint64_t interrupting;

static sighandler_t install(int signal, sighandler_t handler, int flags, const sigset_t *mask)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags, .sa_mask = *mask};
	struct sigaction former;

	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	return sigaction(signal, &action, &former) ? SIG_ERR : former.sa_handler;
}

/* False, with EINVAL: there is no such signal. */
static int only(int signal, sigset_t *set)
{
	sigemptyset(set);
	return !sigaddset(set, signal);
}

sighandler_t bsd_signal(int signal, sighandler_t handler)
{
	sigset_t own;

	if (!only(signal, &own))
		return SIG_ERR;
	return install(signal, handler,
		       atomic_load(&interrupting) & posix_signal_bits(&own) ? 0 : SA_RESTART, &own);
}

sighandler_t signal(int signal, sighandler_t handler)
{
	return bsd_signal(signal, handler);
}

sighandler_t ssignal(int signal, sighandler_t handler)
{
	return bsd_signal(signal, handler);
}

sighandler_t sysv_signal(int signal, sighandler_t handler)
{
	sigset_t none;

	sigemptyset(&none);
	return install(signal, handler, (int)SA_RESETHAND | SA_NODEFER | SA_INTERRUPT, &none);
}

sighandler_t __sysv_signal(int signal, sighandler_t handler)
{
	return sysv_signal(signal, handler);
}

static void note(uint64_t bits, bool interrupts)
{
	if (interrupts)
		atomic_fetch_or(&interrupting, bits);
	else
		atomic_fetch_and(&interrupting, ~bits);
}

int siginterrupt(int signal, int interrupts)
{
	struct sigaction action;
	sigset_t own;

	if (!only(signal, &own) || sigaction(signal, NULL, &action))
		return -1;
	if (!posix_is_vfork_child())
		note(posix_signal_bits(&own), interrupts);
	if (interrupts)
		action.sa_flags &= ~SA_RESTART;
	else
		action.sa_flags |= SA_RESTART;
	return sigaction(signal, &action, NULL);
}

static int change(int how, int signal, sigset_t *former)
{
	sigset_t one;

	return only(signal, &one) ? sigprocmask(how, &one, former) : -1;
}

int sighold(int signal)
{
	return change(SIG_BLOCK, signal, NULL);
}

int sigrelse(int signal)
{
	return change(SIG_UNBLOCK, signal, NULL);
}

int sigignore(int signal)
{
	sigset_t none;

	sigemptyset(&none);
	return install(signal, SIG_IGN, 0, &none) == SIG_ERR ? -1 : 0;
}

sighandler_t sigset(int signal, sighandler_t handler)
{
	sighandler_t former;
	struct sigaction now;
	sigset_t none, mask;

	sigemptyset(&none);
	if (handler == SIG_HOLD)
		former = sigaction(signal, NULL, &now) ? SIG_ERR : now.sa_handler;
	else
		former = install(signal, handler, 0, &none);
	if (former == SIG_ERR ||
	    change(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, signal, &mask))
		return SIG_ERR;
	return sigismember(&mask, signal) ? SIG_HOLD : former;
}

/* Masks of the first 32 signals. */
static sigset_t set_of(int mask)
{
	sigset_t set;

	sigemptyset(&set);
	for (int signal = 1; signal <= 32; signal++)
		if ((unsigned)mask & 1u << (signal - 1))
			sigaddset(&set, signal);
	return set;
}

static int change_first(int how, int mask)
{
	const sigset_t set = set_of(mask);
	sigset_t former;

	return sigprocmask(how, &set, &former) ? -1 : (int)(uint32_t)posix_signal_bits(&former);
}

int sigblock(int mask)
{
	return change_first(SIG_BLOCK, mask);
}

int sigsetmask(int mask)
{
	return change_first(SIG_SETMASK, mask);
}

int siggetmask(void)
{
	return change_first(SIG_BLOCK, 0);
}

int posix_bsd_sigpause(int mask)
{
	const sigset_t set = set_of(mask);

	return sigsuspend(&set);
}

int posix_x_open_sigpause(int signal)
{
	sigset_t mask;

	if (sigprocmask(SIG_BLOCK, NULL, &mask) || sigdelset(&mask, signal))
		return -1;
	return sigsuspend(&mask);
}

int __sigpause(int signal_or_mask, int is_signal)
{
	return is_signal ? posix_x_open_sigpause(signal_or_mask)
			 : posix_bsd_sigpause(signal_or_mask);
}
