/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * syscall(), by which programs reach calls that the C library does not offer: what decides about
 * policies has to be seen, and what can be answered here costs a task no mode switch. Everything
 * else, and every call made by an instruction of the program's own, is Linux's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/files.h"
#include "posix/libc/real.h"
#include "posix/libc/symbol.h"
#include "posix/park/futex_call.h"
#include "posix/process/fork.h"
#include "posix/state/record.h"
#include "posix/state/vfork_child.h"
#include "posix/syscall/filter.h"
#include "posix/syscall/syscall_seen.h"
#include "posix/thread/sched_attributes.h"
#include "posix/timer/timers.h"

struct call {
	long number;
	long arguments[6];
};

static long pass_on(const struct call *call)
{
	const long *argument = call->arguments;

	return posix_real.syscall(call->number, argument[0], argument[1], argument[2], argument[3],
				  argument[4], argument[5]);
}

/* Linux tells how much it wrote, the C library does not. */
static long get_affinity(const struct call *call)
{
	long bytes = pass_on(call);

	return bytes > 0 && sched_getaffinity((pid_t)call->arguments[0], (size_t)bytes,
					      (cpu_set_t *)call->arguments[2])
		       ? -1
		       : bytes;
}

static bool is_plain(void)
{
	return atomic_load_explicit(&posix_me.state, memory_order_relaxed) == POSIX_PLAIN;
}

static long sleep_for(const struct call *call)
{
	return nanosleep((const struct timespec *)call->arguments[0],
			 (struct timespec *)call->arguments[1]);
}

static long sleep_until(const struct call *call)
{
	const long *argument = call->arguments;
	int error = clock_nanosleep((clockid_t)argument[0], (int)argument[1],
				    (const struct timespec *)argument[2],
				    (struct timespec *)argument[3]);

	return error ? posix_fail(error) : 0;
}

static long where(const struct call *call)
{
	void *const cpu_told = (void *)call->arguments[0];
	void *const node_told = (void *)call->arguments[1];
	unsigned cpu, node;

	if (call->arguments[2] || getcpu(&cpu, &node))
		return pass_on(call);
	if ((cpu_told && !posix_safe_copy(cpu_told, &cpu, sizeof(cpu))) ||
	    (node_told && !posix_safe_copy(node_told, &node, sizeof(node))))
		return posix_fail(EFAULT);
	return 0;
}

/* The C library's own, which it reads without Linux, would fault. */
static long tell_time(const struct call *call)
{
	struct timespec now;

	if (clock_gettime((clockid_t)call->arguments[0], &now))
		return -1;
	return posix_safe_copy((void *)call->arguments[1], &now, sizeof(now)) ? 0
									      : posix_fail(EFAULT);
}

/* syscall() is no cancellation point, but what answers here is one, or the C library's close(). Who
 * may be cancelled anywhere may be here, too. */
static long uncancelled(long (*function)(const struct call *call), const struct call *call)
{
	int cancel = PTHREAD_CANCEL_ENABLE;
	long result;
	int type;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_setcanceltype(type, NULL);
	if (type == PTHREAD_CANCEL_DEFERRED)
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	result = function(call);
	if (type == PTHREAD_CANCEL_DEFERRED)
		pthread_setcancelstate(cancel, NULL);
	return result;
}

static long close_file(const struct call *call)
{
	return close((int)call->arguments[0]);
}

static long answer_task(const struct call *call)
{
	long result;

	switch (call->number) {
	case SYS_gettid:
		return posix_me.queries_linux ? pass_on(call) : posix_me.tid;
	case SYS_getcpu:
		return where(call);
	case SYS_sched_yield:
		return sched_yield();
	case SYS_clock_gettime:
		return tell_time(call);
	default:
		result = posix_call_tried_in_call(call->number, call->arguments);
		return result == POSIX_CALL_GOES_ON ? pass_on(call) : posix_call_return(result);
	}
}

/* What decides about policies and affinities, or tells them. False: it is none of these. */
static bool see_policies(const struct call *call, long *result)
{
	const long *argument = call->arguments;

	switch (call->number) {
	case SYS_sched_setscheduler:
		*result = sched_setscheduler((pid_t)argument[0], (int)argument[1],
					     (const struct sched_param *)argument[2]);
		break;
	case SYS_sched_getscheduler:
		*result = sched_getscheduler((pid_t)argument[0]);
		break;
	case SYS_sched_setparam:
		*result =
			sched_setparam((pid_t)argument[0], (const struct sched_param *)argument[1]);
		break;
	case SYS_sched_getparam:
		*result = sched_getparam((pid_t)argument[0], (struct sched_param *)argument[1]);
		break;
	case SYS_sched_setaffinity:
		*result = sched_setaffinity((pid_t)argument[0], (size_t)argument[1],
					    (const cpu_set_t *)argument[2]);
		break;
	case SYS_sched_getaffinity:
		*result = get_affinity(call);
		break;
	case SYS_sched_setattr:
		*result = posix_sched_setattr(argument);
		break;
	case SYS_sched_getattr:
		*result = posix_sched_getattr(argument);
		break;
	default:
		return false;
	}
	return true;
}

/* Or it is no process's, but a thread's. */
static bool waits_for_child(const struct call *call)
{
	uint64_t flags = CLONE_VM | CLONE_VFORK;

	if (call->number == SYS_clone)
		flags = (uint64_t)call->arguments[0];
	else if (call->number == SYS_clone3)
		(void)posix_safe_copy(&flags, (const void *)call->arguments[0], sizeof(flags));
	return (flags & (CLONE_VM | CLONE_THREAD)) != CLONE_VM || flags & CLONE_VFORK;
}

/* One of the calls below; each case of these is in syscall_seen.c, too. */
static __attribute__((noinline)) long see(long number, long first, long second, long third,
					  long fourth, long fifth, long sixth)
{
	const struct call call = {number, {first, second, third, fourth, fifth, sixth}};
	const long *argument = call.arguments;
	long result;

	if (see_policies(&call, &result))
		return result;
	switch (number) {
	case SYS_futex:
		return posix_futex(argument);
	case SYS_alarm:
		return (long)alarm((unsigned)argument[0]);
	case SYS_getitimer:
		return getitimer((__itimer_which_t)argument[0], (struct itimerval *)argument[1]);
	case SYS_setitimer:
		return setitimer((__itimer_which_t)argument[0],
				 (const struct itimerval *)argument[1],
				 (struct itimerval *)argument[2]);
	case SYS_tgkill:
		return tgkill((pid_t)argument[0], (pid_t)argument[1], (int)argument[2]);
	case SYS_rt_sigprocmask:
	case SYS_rt_sigtimedwait:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigpending:
	case SYS_signalfd:
	case SYS_signalfd4:
		posix_timers_pin(UINT64_MAX);
		return pass_on(&call);
	case SYS_clone:
		/* The child is a thread's copy, and of Tactus it needs what fork() sees to. */
		if (argument[0] == SIGCHLD && !argument[1])
			return fork();
		__attribute__((fallthrough));
	case SYS_clone3:
	case SYS_vfork:
		if (posix_fork_refused())
			return posix_fail(EAGAIN);
		posix_files_share_all();
		posix_vfork_begins(waits_for_child(&call));
		return pass_on(&call);
	case SYS_close:
		return uncancelled(close_file, &call);
	case SYS_close_range:
		return close_range((unsigned)argument[0], (unsigned)argument[1], (int)argument[2]);
	case SYS_dup2:
		return dup2((int)argument[0], (int)argument[1]);
	case SYS_dup3:
		return dup3((int)argument[0], (int)argument[1], (int)argument[2]);
	case SYS_fork:
		return fork();
	case SYS_prctl:
		return prctl((int)argument[0], argument[1], argument[2], argument[3], argument[4]);
	/* They begin as the sleeps that they are, whose caller may become a task only then. */
	case SYS_nanosleep:
		return is_plain() ? pass_on(&call) : uncancelled(sleep_for, &call);
	case SYS_clock_nanosleep:
		return is_plain() ? pass_on(&call) : uncancelled(sleep_until, &call);
	case SYS_seccomp:
		return posix_seccomp((unsigned)argument[0], (unsigned)argument[1],
				     (void *)argument[2]);
	default:
		break;
	}
	if (posix_syscall_is_of_files(number)) {
		/* Whichever it is about: they are few, and not known by what follows. */
		posix_files_share_all();
		return pass_on(&call);
	}
	return posix_is_task() ? answer_task(&call) : pass_on(&call);
}

/* As it is called: with up to six arguments more than it tells, wherever they are. */
long posix_syscall(long number, long first, long second, long third, long fourth, long fifth,
		   long sixth) __asm__(POSIX_SYMBOL(syscall));

/* What is Linux's alone returns from there to the caller by itself, as in masks.c. */
long posix_syscall(long number, long first, long second, long third, long fourth, long fifth,
		   long sixth)
{
	if (posix_from_tactus(__builtin_return_address(0)) ||
	    (number == SYS_futex && posix_futex_is_linuxs(first, second)) ||
	    (!posix_syscall_is_seen(number) && !posix_call_is_tasks()))
		return posix_real.syscall(number, first, second, third, fourth, fifth, sixth);
	return see(number, first, second, third, fourth, fifth, sixth);
}

pid_t gettid(void)
{
	return posix_is_task() ? posix_me.tid : posix_real.gettid();
}
