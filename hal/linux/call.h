/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Linux calls that code on a dispatcher may make. They go through the allowed stub, set no errno
 * (there may be no thread-local storage), and return the kernel's negative error.
 */
#ifndef LINUX_CALL_H
#define LINUX_CALL_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "arch/self.h"
#include "hal/linux.h"

#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2
#endif
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

/* The kernel's own layout; the C library's has a larger mask. */
struct kernel_sigaction {
	void *handler;
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static inline long call3(long number, long a, long b, long c)
{
	return hal_arch_syscall(number, a, b, c, 0, 0, 0);
}

static inline long call_futex_wait(_Atomic uint32_t *word, uint32_t expected,
				   const struct timespec *until)
{
	return hal_arch_syscall(SYS_futex, (long)word, FUTEX_WAIT_BITSET_PRIVATE, expected,
				(long)until, 0, FUTEX_BITSET_MATCH_ANY);
}

static inline long call_futex_wake(_Atomic uint32_t *word, int count)
{
	return call3(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, count);
}

/* The same for a word in memory that other processes have, too. */
static inline long call_futex_wait_shared(_Atomic uint32_t *word, uint32_t expected,
					  const struct timespec *until)
{
	return hal_arch_syscall(SYS_futex, (long)word, FUTEX_WAIT_BITSET, expected, (long)until, 0,
				FUTEX_BITSET_MATCH_ANY);
}

static inline long call_futex_wake_shared(_Atomic uint32_t *word, int count)
{
	return call3(SYS_futex, (long)word, FUTEX_WAKE, count);
}

static inline long call_tgkill(int pid, uint32_t tid, int signal)
{
	return call3(SYS_tgkill, pid, (long)tid, signal);
}

static inline long call_write(int fd, const void *data, size_t bytes)
{
	return call3(SYS_write, fd, (long)data, (long)bytes);
}

static inline long call_read(int fd, void *data, size_t bytes)
{
	return call3(SYS_read, fd, (long)data, (long)bytes);
}

static inline long call_sigmask(int how, const uint64_t *set, uint64_t *old)
{
	return hal_arch_syscall(SYS_rt_sigprocmask, how, (long)set, (long)old, 8, 0, 0);
}

static inline long call_sigaction(int signal, const struct kernel_sigaction *action,
				  struct kernel_sigaction *old)
{
	return hal_arch_syscall(SYS_rt_sigaction, signal, (long)action, (long)old, 8, 0, 0);
}

/* The signals that are pending for this thread and for the process. */
static inline long call_sigpending(uint64_t *set)
{
	return call3(SYS_rt_sigpending, (long)set, 8, 0);
}

/* Takes one pending signal of the set. Returns its number, or a negative error: none is pending. */
static inline long call_sigtake(const uint64_t *set)
{
	static const struct timespec at_once;

	return hal_arch_syscall(SYS_rt_sigtimedwait, (long)set, 0, (long)&at_once, 8, 0, 0);
}

static inline long call_sigaltstack(const stack_t *stack, stack_t *old)
{
	return call3(SYS_sigaltstack, (long)stack, (long)old, 0);
}

static inline uint32_t call_gettid(void)
{
	return (uint32_t)call3(SYS_gettid, 0, 0, 0);
}

struct perf_event_attr;

/* For the calling thread, on any CPU, closed on exec (8). */
static inline long call_perf_event_open(struct perf_event_attr *attr)
{
	return hal_arch_syscall(SYS_perf_event_open, (long)attr, 0, -1, -1, 8, 0);
}

/* priority: as in hal_shadow_create(). */
static inline long call_scheduler(uint32_t tid, unsigned priority)
{
	struct sched_param parameter = {.sched_priority = (int)(priority & ~HAL_IN_TURNS)};
	int policy = priority & HAL_IN_TURNS ? SCHED_RR : SCHED_FIFO;

	return call3(SYS_sched_setscheduler, (long)tid, priority ? policy : SCHED_OTHER,
		     (long)&parameter);
}

/* Every call that this thread makes from outside of the stubs becomes SIGSYS. */
static inline long call_trap_on(void)
{
	return hal_arch_syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1,
				(long)hal_arch_allowed_begin,
				hal_arch_allowed_end - hal_arch_allowed_begin, 0, 0);
}

static inline long call_trap_off(void)
{
	return hal_arch_syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0, 0);
}

static inline struct timespec call_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u),
				 .tv_nsec = (long)(ns % 1000000000u)};
}

#endif
