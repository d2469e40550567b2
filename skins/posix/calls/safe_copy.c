/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies of memory that the program names. Source: process_vm_readv(2). */
#define _GNU_SOURCE
#include "posix/calls/safe_copy.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <tactus/fault.h>

#include "posix/libc/real.h"
#include "posix/state/mask_cells.h"
#include "posix/state/record.h"
#include "posix/state/signal_bits.h"

#define PAGE 4096u

/* By Linux, which refuses both sides alike. If Linux may not be called, the program is trusted. */
static __attribute__((noinline, cold)) bool copy_by_linux(void *to, const void *from, size_t bytes)
{
	const struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};
	const int former = errno;
	const long done =
		posix_real.syscall(SYS_process_vm_readv, getpid(), &here, 1L, &there, 1L, 0L);
	const bool knows = done >= 0 || errno == EFAULT;

	errno = former;
	if (!knows)
		memcpy(to, from, bytes);
	return !knows || done == (long)bytes;
}

/* As far as is known. Nothing is known of a thread that is not in the list. */
static bool blocks_faults(void)
{
	const struct posix_mask_cell *mask = posix_me.mask;

	return mask == &posix_mask_cell_nobodys ||
	       atomic_load_explicit(&mask->blocked, memory_order_relaxed) & POSIX_SIGNALS_OF_FAULTS;
}

/* A handler may have left a note that it blocks them, without doing so any longer: then remove the
 * note. */
static __attribute__((noinline, cold)) bool blocks_faults_indeed(void)
{
	sigset_t now;

	if (posix_real.sigprocmask(SIG_BLOCK, NULL, &now) || sigismember(&now, SIGSEGV) ||
	    sigismember(&now, SIGBUS))
		return true;
	atomic_fetch_and(&posix_me.mask->blocked, ~POSIX_SIGNALS_OF_FAULTS);
	return false;
}

static bool is_primary(void)
{
	return posix_thread_is_task(&posix_me) && tact_mode() == TACT_MODE_PRIMARY;
}

bool posix_safe_copy(void *to, const void *from, size_t bytes)
{
	int error;

	if (__builtin_expect(blocks_faults(), 0) && !is_primary() && blocks_faults_indeed())
		return copy_by_linux(to, from, bytes);
	error = tact_copy(to, from, bytes);
	return __builtin_expect(error == -TACT_EPERM, 0) ? copy_by_linux(to, from, bytes) : !error;
}

bool posix_is_readable(const void *place, size_t bytes)
{
	const char *at = place;
	const char *end = at + bytes;
	char byte;

	for (; at < end; at += PAGE - (uintptr_t)at % PAGE)
		if (!posix_safe_copy(&byte, at, 1))
			return false;
	return true;
}
