/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Settings of the machine that a program changes while it runs, and their way back. What was there
 * before is noted (note.c) before the change. Every program that relies on it holds the members'
 * lock together with the others; whoever finds the lock free, under the gate, is alone: a note that
 * is there then was left by programs that are gone, and is put back. A guardian (guardian.c) does
 * that when the last program dies or leaves; the next start, if the guardian was killed too.
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
#include "guardian.h"
#include "high_fd.h"
#include "note.h"
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

/* No other user may open the gate, or that one could keep it shut. */
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

/* A child that another thread forks meanwhile has the same open file. */
static void leave_gate(int gate)
{
	(void)flock(gate, LOCK_UN);
	close(gate);
}

/* Under the gate: if no program relies on the settings, put them back. */
static int repair(int members)
{
	return flock(members, LOCK_EX | LOCK_NB) ? -EBUSY : note_put_back();
}

/* Put back what programs that are gone have changed; see guardian_start(repair_now). */
static int repair_now(void)
{
	int gate, members, error = -EAGAIN;

	/* Only root changes any, and only root may put them back. */
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
 * A SCHED_FIFO thread that never sleeps is stopped 50 ms in every second at the default of
 * sched_rt_runtime_us; from Linux 6.12 the fair server takes the same from it when others wait.
 * Only where Linux has a CPU besides, or nobody could stop the program.
 */
static void lift_throttling(const uint32_t linux_cpus[], char reason[256])
{
	bool fair_server_stays = false;
	char path[128];

	if (!linux_program.other_cpus_differ) {
		linux_notice(reason, "RT throttling stays: Linux has no other CPU for itself. ");
		return;
	}
	if (!note_change(RT_RUNTIME, "-1"))
		linux_notice(reason, "RT throttling stays: cannot write " RT_RUNTIME
				     ", or note it in /run/tactus. ");
	for (unsigned i = 0; i < linux_program.cpu_count; i++) {
		snprintf(path, sizeof(path), FAIR_SERVER, linux_cpus[i]);
		if (!note_change(path, "0"))
			fair_server_stays = true;
	}
	if (fair_server_stays && kernel_has_fair_server())
		linux_notice(reason, "the fair server stays, up to 50 ms a second where others "
				     "wait: cannot write /sys/kernel/debug (mount debugfs). ");
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

/* The guardian first: from the first change on somebody stands by. */
static void join(const uint32_t linux_cpus[], char reason[256])
{
	int gate = enter_gate();

	if (gate >= 0)
		members_fd = linux_state_open_own(MEMBERS, true);
	if (members_fd < 0) {
		linux_notice(reason, "RT throttling stays: cannot use the files settings.* in "
				     "/run/tactus; only root may have made them. ");
	} else {
		repair(members_fd);
		flock(members_fd, LOCK_SH);
		if (guardian_start(repair_now))
			linux_notice(reason, "RT throttling stays: no guardian process. ");
		else
			lift_throttling(linux_cpus, reason);
	}
	if (gate >= 0)
		leave_gate(gate);
}

void thread_settings_start(const struct hal_config *config, const uint32_t linux_cpus[],
			   char reason[256])
{
	bool lift = config->idle == HAL_IDLE_SPIN && linux_program.options.throttle &&
		    linux_program.fifo;

	if (linux_program.options.power)
		hold_latency();
	if (!lift || geteuid()) {
		repair_now();
		if (lift)
			linux_notice(reason, "RT throttling stays: only root may lift it. ");
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
		/* If the guardian was killed, we are the ones left. */
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
