/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals handed to tasks that wait for them, without Linux. */
#ifndef POSIX_SIGWAIT_H
#define POSIX_SIGWAIT_H

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

#include "posix/calls/copy.h"
#include "posix/thread/thread.h"
#include "posix/park/wait.h"

/* All who wait for signals wait here; what they accept is the signals, a bit each. */
extern const char posix_signals;

static inline uint64_t posix_signal_bit(int signal)
{
	return 1ull << (signal - 1);
}

/*
 * Give it to the task with this seat, or to any (POSIX_SEATS). False: nobody waits for it, or Linux
 * may have earlier ones. Then Linux is told, and afterwards this is: so what the same thread sends
 * next does not overtake it.
 */
bool posix_signal_give(uint32_t seat, const siginfo_t *info);
void posix_signal_went_to_linux(uint32_t seat, int signal);

/* The C library's own, and the two that nobody can wait for or block. */
#define POSIX_SIGNALS_NEVER \
	(1ull << 31 | 1ull << 32 | 1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1))

/* Of a set, without those that nobody can block. */
static inline uint64_t posix_signal_bits(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits & ~POSIX_SIGNALS_NEVER;
}

/* The same of one that the program names. False: it leads nowhere. */
static inline bool posix_signals_named(const sigset_t *set, uint64_t *bits)
{
	if (!posix_copy(bits, set, sizeof(*bits)))
		return false;
	*bits &= ~POSIX_SIGNALS_NEVER;
	return true;
}

/* What the calling task blocks, without asking Linux. False: it has to be asked. */
bool posix_signals_blocked(uint64_t *bits);
/* The task is one no more. */
void posix_signals_leave(void);

/*
 * Can these be waited for here? A signal that the task does not block may find a handler instead,
 * or end the program, which Linux decides. For signals that are new it takes Linux to look.
 */
bool posix_signals_prepare(uint64_t bits);
/* Wait for them, when that is prepared. Returns the signal, or a negative error number; -ENOMEM: it
 * has to be waited for in Linux. */
int posix_signals_wait(uint64_t bits, siginfo_t *info, tact_timeout_t timeout);

#endif
