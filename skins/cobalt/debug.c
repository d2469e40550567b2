/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SIGDEBUG for causes that the nucleus does not know. A thread with PTHREAD_WARNSW gets it if it
 * waits for a thread that Linux runs, and a thread that has locked the scheduler, without lock
 * breaks, if it would wait. A program with a handler for SIGDEBUG gets it if it makes a real-time
 * thread after it has unlocked its memory. Source: Xenomai 3 API manual, pthread_setmode_np();
 * "SIGDEBUG reasons".
 */
#include "debug.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include <cobalt/signal.h>

#include "warn.h"

/* From here on the mode switches of the thread are not reported to it. */
static bool keep_quiet(void)
{
	bool warned = cobalt_modes() & PTHREAD_WARNSW;

	if (warned)
		(void)tact_task_set_flags(TACT_SELF, 0, SKIN_WARN);
	return warned;
}

static void tell_again(bool warned)
{
	if (!warned)
		return;
	(void)tact_task_harden();
	(void)tact_task_set_flags(TACT_SELF, SKIN_WARN, 0);
}

void cobalt_debug(int reason)
{
	bool warned = keep_quiet();
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = SIGDEBUG;
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = (int)(sigdebug_marker | (unsigned int)reason);
	(void)posix_real.syscall(SYS_rt_tgsigqueueinfo, getpid(), posix_real.gettid(), SIGDEBUG,
				 &info);
	tell_again(warned);
}

static void break_lock(void)
{
	cobalt_debug(SIGDEBUG_LOCK_BREAK);
}

void cobalt_debug_modes(int modes)
{
	const int both = PTHREAD_LOCK_SCHED | PTHREAD_DISABLE_LOCKBREAK;

	posix_me.skin.queries_linux = modes & PTHREAD_WARNSW;
	posix_me.skin.waits_not = (modes & both) == both ? break_lock : NULL;
}

static bool runs_in_linux(pid_t tid)
{
	const struct posix_thread *thread;
	struct tact_task_info info = {0};
	tact_task_t task = {0};

	posix_threads_lock();
	thread = posix_thread_of_tid(tid);
	if (thread)
		task = thread->task;
	posix_threads_unlock();
	return !task.id || tact_task_inquire(task, &info) || info.state & TACT_TASK_STATE_RELAXED;
}

bool cobalt_debug_owner(const pthread_mutex_t *mutex)
{
	pid_t owner = cobalt_modes() & PTHREAD_WARNSW ? posix_mutex_owner(mutex) : 0;

	if (!owner || owner == posix_me.tid || !runs_in_linux(owner))
		return false;
	cobalt_debug(SIGDEBUG_MIGRATE_PRIOINV);
	return keep_quiet();
}

void cobalt_debug_again(bool quiet)
{
	tell_again(quiet);
}

/* Does a thread with these attributes begin as a task? */
static bool is_real_time(const pthread_attr_t *attr)
{
	int policy = posix_me.policy;
	int inherits = PTHREAD_INHERIT_SCHED;

	if (attr && !pthread_attr_getinheritsched(attr, &inherits) &&
	    inherits == PTHREAD_EXPLICIT_SCHED)
		(void)pthread_attr_getschedpolicy(attr, &policy);
	return posix_policy_is_real_time(policy);
}

bool cobalt_debug_unlocked(const pthread_attr_t *attr)
{
	struct sigaction now;

	if (!posix_memory_is_let_go() || !is_real_time(attr) || sigaction(SIGDEBUG, NULL, &now) ||
	    !(now.sa_flags & SA_SIGINFO) || now.sa_sigaction == skin_warned)
		return false;
	cobalt_debug(SIGDEBUG_NOMLOCK);
	return true;
}
