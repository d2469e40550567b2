/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * syscall(), by which programs make calls that the C library does not offer. Calls that decide
 * about policies must be seen, and a call that can be answered here costs a task no mode switch.
 * Linux makes all other calls, and every call that the program makes by its own instruction.
 * calls.def names the function that sees a call. A row without such a function does not compile,
 * and neither does a function without a row.
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

/* syscall() is no cancellation point, but the function that answers here may be one, or the C
 * library's close(). A thread that may be cancelled anywhere may also be cancelled here. */
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

static long see_sched_setscheduler(const struct call *call)
{
	const long *argument = call->arguments;

	return sched_setscheduler((pid_t)argument[0], (int)argument[1],
				  (const struct sched_param *)argument[2]);
}

static long see_sched_getscheduler(const struct call *call)
{
	return sched_getscheduler((pid_t)call->arguments[0]);
}

static long see_sched_setparam(const struct call *call)
{
	const long *argument = call->arguments;

	return sched_setparam((pid_t)argument[0], (const struct sched_param *)argument[1]);
}

static long see_sched_getparam(const struct call *call)
{
	const long *argument = call->arguments;

	return sched_getparam((pid_t)argument[0], (struct sched_param *)argument[1]);
}

static long see_sched_setaffinity(const struct call *call)
{
	const long *argument = call->arguments;

	return sched_setaffinity((pid_t)argument[0], (size_t)argument[1],
				 (const cpu_set_t *)argument[2]);
}

/* Linux returns how much it wrote, the C library does not. */
static long see_sched_getaffinity(const struct call *call)
{
	long bytes = pass_on(call);

	return bytes > 0 && sched_getaffinity((pid_t)call->arguments[0], (size_t)bytes,
					      (cpu_set_t *)call->arguments[2])
		       ? -1
		       : bytes;
}

static long see_sched_setattr(const struct call *call)
{
	return posix_sched_setattr(call->arguments);
}

static long see_sched_getattr(const struct call *call)
{
	return posix_sched_getattr(call->arguments);
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

/* These calls begin as sleeps: only there the caller may become a task. */
static long see_nanosleep(const struct call *call)
{
	return is_plain() ? pass_on(call) : uncancelled(sleep_for, call);
}

static long sleep_until(const struct call *call)
{
	const long *argument = call->arguments;
	int error = clock_nanosleep((clockid_t)argument[0], (int)argument[1],
				    (const struct timespec *)argument[2],
				    (struct timespec *)argument[3]);

	return error ? posix_fail(error) : 0;
}

static long see_clock_nanosleep(const struct call *call)
{
	return is_plain() ? pass_on(call) : uncancelled(sleep_until, call);
}

static long see_alarm(const struct call *call)
{
	return (long)alarm((unsigned)call->arguments[0]);
}

static long see_getitimer(const struct call *call)
{
	const long *argument = call->arguments;

	return getitimer((__itimer_which_t)argument[0], (struct itimerval *)argument[1]);
}

static long see_setitimer(const struct call *call)
{
	const long *argument = call->arguments;

	return setitimer((__itimer_which_t)argument[0], (const struct itimerval *)argument[1],
			 (struct itimerval *)argument[2]);
}

static long see_tgkill(const struct call *call)
{
	const long *argument = call->arguments;

	return tgkill((pid_t)argument[0], (pid_t)argument[1], (int)argument[2]);
}

static long see_masks(const struct call *call)
{
	posix_timers_pin(UINT64_MAX);
	return pass_on(call);
}

/* Otherwise the child is a thread and not a process. */
static bool waits_for_child(const struct call *call)
{
	uint64_t flags = CLONE_VM | CLONE_VFORK;

	if (call->number == SYS_clone)
		flags = (uint64_t)call->arguments[0];
	else if (call->number == SYS_clone3)
		(void)posix_safe_copy(&flags, (const void *)call->arguments[0], sizeof(flags));
	return (flags & (CLONE_VM | CLONE_THREAD)) != CLONE_VM || flags & CLONE_VFORK;
}

static long see_birth(const struct call *call)
{
	if (posix_fork_refused())
		return posix_fail(EAGAIN);
	posix_files_share_all();
	posix_vfork_begins(waits_for_child(call));
	return pass_on(call);
}

static long see_fork(const struct call *call)
{
	(void)call;
	return fork();
}

/* With these arguments the child is a copy of a thread, and needs from Tactus what fork() does. */
static long see_clone(const struct call *call)
{
	return call->arguments[0] == SIGCHLD && !call->arguments[1] ? fork() : see_birth(call);
}

static long close_file(const struct call *call)
{
	return close((int)call->arguments[0]);
}

static long see_close(const struct call *call)
{
	return uncancelled(close_file, call);
}

static long see_close_range(const struct call *call)
{
	const long *argument = call->arguments;

	return close_range((unsigned)argument[0], (unsigned)argument[1], (int)argument[2]);
}

static long see_dup2(const struct call *call)
{
	const long *argument = call->arguments;

	return dup2((int)argument[0], (int)argument[1]);
}

static long see_dup3(const struct call *call)
{
	const long *argument = call->arguments;

	return dup3((int)argument[0], (int)argument[1], (int)argument[2]);
}

/* These calls have no argument in common that names the file, and only few files are here. So all
 * files are shared. */
static long see_file_call(const struct call *call)
{
	posix_files_share_all();
	return pass_on(call);
}

static long see_futex(const struct call *call)
{
	return posix_futex(call->arguments);
}

static long see_prctl(const struct call *call)
{
	const long *argument = call->arguments;

	return prctl((int)argument[0], argument[1], argument[2], argument[3], argument[4]);
}

static long see_seccomp(const struct call *call)
{
	const long *argument = call->arguments;

	return posix_seccomp((unsigned)argument[0], (unsigned)argument[1], (void *)argument[2]);
}

static long see_gettid(const struct call *call)
{
	return posix_me.skin.queries_linux ? pass_on(call) : posix_me.tid;
}

static long see_getcpu(const struct call *call)
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

static long see_sched_yield(const struct call *call)
{
	(void)call;
	return sched_yield();
}

/* The C library's own function, which reads without Linux, would fault. */
static long see_clock_gettime(const struct call *call)
{
	struct timespec now;

	if (clock_gettime((clockid_t)call->arguments[0], &now))
		return -1;
	return posix_safe_copy((void *)call->arguments[1], &now, sizeof(now)) ? 0
									      : posix_fail(EFAULT);
}

/* A task's call that Linux makes: handlers that have run in it may have ended it. */
static long see_other(const struct call *call)
{
	const long result = posix_call_tried_in_call(call->number, call->arguments);

	return result == POSIX_CALL_GOES_ON ? pass_on(call) : posix_call_return(result);
}

#define ENTRY_NO(number, handler)
#define ENTRY_TASK(number, handler)  [number] = {handler, false},
#define ENTRY_EVERY(number, handler) [number] = {handler, true},

static const struct {
	long (*see)(const struct call *call);
	bool of_every; /* calls of every thread are seen; if false, only those of a task */
} seen[] = {
#define POSIX_CALL(name, ours, real, whose, handler) ENTRY_##whose(SYS_##name, handler)
#include "posix/libc/calls.def"
#undef POSIX_CALL
};

#define SEEN (sizeof(seen) / sizeof(seen[0]))

/* Must this call be seen for every thread? */
static bool is_seen_of_every(long number)
{
	return (unsigned long)number < SEEN && seen[number].of_every;
}

static __attribute__((noinline)) long see(long number, long first, long second, long third,
					  long fourth, long fifth, long sixth)
{
	const struct call call = {number, {first, second, third, fourth, fifth, sixth}};

	if (!is_seen_of_every(number) && !posix_is_task())
		return pass_on(&call);
	if ((unsigned long)number >= SEEN || !seen[number].see)
		return see_other(&call);
	return seen[number].see(&call);
}

/* Called with up to six arguments; the declaration does not say how many. */
long posix_syscall(long number, long first, long second, long third, long fourth, long fifth,
		   long sixth) __asm__(POSIX_SYMBOL(syscall));

/* A call only for Linux is a tail call, so that it returns directly to the caller, as in
 * masks.c. */
long posix_syscall(long number, long first, long second, long third, long fourth, long fifth,
		   long sixth)
{
	if (posix_from_tactus(__builtin_return_address(0)) ||
	    (number == SYS_futex && posix_futex_is_linuxs(first, second)) ||
	    (!is_seen_of_every(number) && !posix_call_is_tasks()))
		return posix_real.syscall(number, first, second, third, fourth, fifth, sixth);
	return see(number, first, second, third, fourth, fifth, sixth);
}

pid_t gettid(void)
{
	return posix_is_task() ? posix_me.tid : posix_real.gettid();
}
