/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the user's limits let this program have: priorities and locked memory. */
#define _GNU_SOURCE

#include "rights.h"

#include <linux/capability.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "arch/self.h"
#include "base/error.h"
#include "call.h"
#include "policy.h"
#include "program.h"
#include "reason.h"
#include "sanitized.h"

/* This much above the priority of the CPUs: the helper and the housekeeper. */
#define ABOVE 2u

/*
 * Try it on this thread and undo it; the dispatchers then do it for good. Without
 * SCHED_RESET_ON_FORK, which an ordinary user may set but not clear. Source: sched(7).
 */
static bool try_here(unsigned priority)
{
	const struct sched_param parameter = {.sched_priority = (int)priority};
	struct linux_policy former;

	linux_policy_get(&former);
	if (sched_setscheduler(0, SCHED_FIFO, &parameter))
		return false;
	linux_policy_put(&former);
	return true;
}

struct trial {
	unsigned priority;
	bool allowed;
};

static void *try_in_thread(void *argument)
{
	struct trial *trial = argument;

	trial->allowed = try_here(trial->priority);
	linux_ends();
	return NULL;
}

/* A SCHED_DEADLINE thread must not try it itself: the time that Linux has granted to it could be
 * another thread's as soon as it gives it up. */
static bool may_be_fifo(unsigned priority)
{
	struct trial trial = {.priority = priority};
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID), former;
	pthread_t thread;
	int error;

	if (!linux_policy_is_deadline())
		return try_here(priority);
	call_sigmask(SIG_SETMASK, &all, &former);
	error = linux_birth(&thread, NULL, try_in_thread, &trial);
	call_sigmask(SIG_SETMASK, &former, NULL);
	return !error && !pthread_join(thread, NULL) && trial.allowed;
}

int linux_find_priority(bool require, char reason[HAL_REASON_BYTES])
{
	unsigned wanted = linux_program.priority + ABOVE;
	struct rlimit limit = {0};

	linux_program.fifo = true;
	atomic_store(&linux_program.may_raise, true);
	linux_program.shadow_priority_max = LINUX_PRIORITY_MAX + ABOVE;
	if (may_be_fifo(wanted))
		return 0;
	getrlimit(RLIMIT_RTPRIO, &limit);
	if (limit.rlim_cur > ABOVE && limit.rlim_cur < wanted &&
	    may_be_fifo((unsigned)limit.rlim_cur)) {
		linux_program.shadow_priority_max = (unsigned)limit.rlim_cur;
		linux_program.priority = (unsigned)limit.rlim_cur - ABOVE;
		linux_notice(reason,
			     "SCHED_FIFO only up to %u: Linux threads above %u run before all "
			     "tasks; be root, or allow 'rtprio %u' in /etc/security/limits.conf. ",
			     linux_program.shadow_priority_max, linux_program.priority, wanted);
		return 0;
	}
	linux_program.fifo = false;
	if (require)
		return linux_refuse(
			reason, -TACT_EPERM,
			"no SCHED_FIFO, which is required: be root, or allow 'rtprio %u' "
			"in /etc/security/limits.conf",
			wanted);
	linux_notice(reason,
		     "no SCHED_FIFO: tasks run at ordinary Linux priority; be root, or allow "
		     "'rtprio %u' in /etc/security/limits.conf. ",
		     wanted);
	return 0;
}

bool linux_may_raise(void)
{
	/* A thread that returns from setuid() itself has its new rights already, and the
	 * dispatchers may not have looked at theirs yet. */
	if (__builtin_expect(atomic_load(&linux_program.rights_change) != 0, 0))
		linux_rights_update();
	return atomic_load(&linux_program.may_raise);
}

/*
 * The caller has changed its user. Linux lets every thread lower a priority. To raise one again, a
 * thread needs the privilege, or a limit that allows it. Without either, no priority is lowered any
 * more. Source: sched(7), "Privileges and resource limits".
 */
void linux_rights_update(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3] = {0};
	struct rlimit limit = {0};

	call3(SYS_capget, (long)&header, (long)has, 0);
	hal_arch_syscall(SYS_prlimit64, 0, RLIMIT_RTPRIO, 0, (long)&limit, 0, 0);
	atomic_store(&linux_program.may_raise,
		     has[0].effective & 1u << CAP_SYS_NICE ||
			     limit.rlim_cur >= linux_program.shadow_priority_max);
}
