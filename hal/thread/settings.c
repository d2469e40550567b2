/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Settings of the machine that a program changes while it runs, and their restoration. The former
 * value is noted (note.c) before the change. All programs that rely on the change hold the members'
 * lock together. A program that finds this lock free, under the gate, is alone: if there is a note,
 * programs that are gone have left it, and its values are restored. A guardian (guardian.c) does
 * this when the last program dies or leaves; if the guardian was killed, too, the next start does
 * it.
 *
 * This file runs in the guardian, a fork of a program with threads: no heap, no stdio streams.
 */
#define _GNU_SOURCE

#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "back_end.h"
#include "high_fd.h"
#include "program.h"
#include "reason.h"
#include "state.h"

#define LATENCY "/dev/cpu_dma_latency"
#define GATE    "settings.gate"
#define MEMBERS "settings.members"

static int members_fd = -1, latency_fd = -1;

static int lock_gate(int gate)
{
	/* The program's handlers may interrupt the wait. */
	while (flock(gate, LOCK_EX))
		if (errno != EINTR)
			return -errno;
	return 0;
}

/* No other user may open the gate; otherwise that user could keep it locked. */
static int enter_gate(void)
{
	int gate = linux_state_open_own(GATE, true);
	int error = gate < 0 ? gate : lock_gate(gate);

	if (gate >= 0 && error) {
		close(gate);
		return error;
	}
	return gate;
}

/* Unlock first: a child that another thread forks meanwhile has the same open file. */
static void leave_gate(int gate)
{
	(void)flock(gate, LOCK_UN);
	close(gate);
}

/* Under the gate: if no program relies on the settings, restore them. */
static int repair(int members)
{
	return flock(members, LOCK_EX | LOCK_NB) ? -EBUSY : note_put_back();
}

/* Restore what programs that are gone have changed; see guardian_start(repair_now). */
static int repair_now(void)
{
	int gate, members, error = -EAGAIN;

	/* Only root changes settings, and only root may restore them. */
	if (geteuid())
		return 0;
	gate = enter_gate();
	if (gate < 0)
		return -EAGAIN;
	members = linux_state_open_own(MEMBERS, true);
	if (members >= 0) {
		error = repair(members);
		close(members);
	}
	leave_gate(gate);
	return error;
}

static bool kernel_has_fair_server(void)
{
	unsigned major = 0, minor = 0;
	struct utsname name;

	return !uname(&name) && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 12));
}

/*
 * With the default of sched_rt_runtime_us, a SCHED_FIFO thread that never sleeps is stopped for 50
 * ms in every second. From Linux 6.12 the fair server takes the same time from it when others wait.
 * This is lifted only if Linux has another CPU; otherwise the program could not be stopped.
 */
static void lift_throttling(const uint32_t linux_cpus[], char reason[HAL_REASON_BYTES])
{
	bool fair_server_stays = false;
	char path[128];

	if (!linux_program.other_cpus_differ) {
		linux_notice(reason,
			     "RT throttling remains on: Linux has no other CPU for itself. ");
		return;
	}
	if (!note_change(RT_RUNTIME, "-1"))
		linux_notice(reason, "RT throttling remains on: cannot write " RT_RUNTIME
				     ", or note the change in /run/tactus. ");
	for (unsigned i = 0; i < linux_program.cpu_count; i++) {
		snprintf(path, sizeof(path), FAIR_SERVER, linux_cpus[i]);
		if (!note_change(path, "0"))
			fair_server_stays = true;
	}
	if (fair_server_stays && kernel_has_fair_server())
		linux_notice(reason,
			     "the fair server remains on and takes up to 50 ms a second while "
			     "others wait: cannot write /sys/kernel/debug (mount debugfs). ");
}

static void hold_latency(void)
{
	const int32_t none_us = 0;

	latency_fd = linux_high_fd(open(LATENCY, O_WRONLY | O_CLOEXEC));
	if (latency_fd >= 0 && write(latency_fd, &none_us, sizeof(none_us)) != sizeof(none_us)) {
		close(latency_fd);
		latency_fd = -1;
	}
}

/* The guardian first: it must exist from the first change on. */
static void join(const uint32_t linux_cpus[], char reason[HAL_REASON_BYTES])
{
	int gate = enter_gate();

	if (gate >= 0)
		members_fd = linux_state_open_own(MEMBERS, true);
	if (members_fd < 0) {
		linux_notice(reason, "RT throttling remains on: cannot use the files settings.* in "
				     "/run/tactus; they must belong to root. ");
	} else {
		repair(members_fd);
		flock(members_fd, LOCK_SH);
		if (guardian_start(repair_now))
			linux_notice(reason, "RT throttling remains on: no guardian process. ");
		else
			lift_throttling(linux_cpus, reason);
	}
	if (gate >= 0)
		leave_gate(gate);
}

void thread_settings_start(const struct hal_config *config, const uint32_t linux_cpus[],
			   char reason[HAL_REASON_BYTES])
{
	bool lift = config->idle == HAL_IDLE_SPIN && linux_program.options.throttle &&
		    linux_program.fifo;

	if (linux_program.options.power)
		hold_latency();
	if (!lift || geteuid()) {
		repair_now();
		if (lift)
			linux_notice(reason,
				     "RT throttling remains on: only root may switch it off. ");
		return;
	}
	join(linux_cpus, reason);
}

void thread_settings_stop(void)
{
	if (latency_fd >= 0)
		close(latency_fd);
	if (members_fd >= 0) {
		close(members_fd);
		/* If the guardian was killed, this program has to restore the settings. */
		if (!guardian_dismiss())
			repair_now();
	}
	latency_fd = members_fd = -1;
}

void backend_forked(void)
{
	if (latency_fd >= 0)
		close(latency_fd);
	if (members_fd >= 0)
		close(members_fd);
	latency_fd = members_fd = -1;
	guardian_forget();
}
