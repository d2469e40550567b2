/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Settings of the machine that a program changes while it runs, and their way back. What was there
 * before stands in a file of the state folder, line by line "path value", written before the
 * change. Every program that relies on it holds the members' lock together with the others; whoever
 * finds the lock free, under the gate, is alone: a file that is there then was left by programs
 * that are gone, and is put back. A guardian (guardian.c) does that when the last program dies or
 * leaves; the next start, if the guardian was killed too.
 *
 * This file runs in the guardian, a fork of a program with threads: no heap, no stdio streams.
 */
#define _GNU_SOURCE
#include "thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "guardian.h"
#include "state.h"

#define RT_RUNTIME  "/proc/sys/kernel/sched_rt_runtime_us"
#define FAIR_SERVER "/sys/kernel/debug/sched/fair_server/cpu%u/runtime"
#define LATENCY     "/dev/cpu_dma_latency"
#define FILE_BYTES  8192u

static int members_fd = -1, latency_fd = -1;

static bool read_text(const char *path, char *text, size_t capacity)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, capacity - 1);
	close(fd);
	if (got < 0)
		return false;
	text[got] = 0;
	return true;
}

static bool write_text(const char *path, const char *text, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0644);
	size_t length = strlen(text);
	bool done;
	int error;

	if (fd < 0)
		return false;
	done = write(fd, text, length) == (ssize_t)length;
	error = errno;
	done = !close(fd) && done;
	errno = error;
	return done;
}

/* Linux may refuse a value for a while, as sched_rt_runtime_us while SCHED_DEADLINE threads have
 * been granted more: what is noted stays then, for the next try. Source: sched(7), sched-deadline.
 */
static bool put_back(const char *path)
{
	char text[FILE_BYTES], *rest = text, *line;
	bool done = true;

	if (!read_text(path, text, sizeof(text)))
		return true;
	while ((line = strsep(&rest, "\n"))) {
		const char *name = strsep(&line, " ");

		if (*name && line && !write_text(name, line, 0))
			done &= errno != EBUSY && errno != EINTR && errno != EAGAIN;
	}
	return done && !unlink(path);
}

static int enter_gate(void)
{
	int gate = thread_state_open("settings.gate");

	/* The program's handlers may interrupt the wait. */
	while (gate >= 0 && flock(gate, LOCK_EX)) {
		const int error = errno;

		if (error == EINTR)
			continue;
		close(gate);
		return -error;
	}
	return gate;
}

/* Under the gate: if no program relies on the settings, put them back. True when they are. */
static bool repair(int members, const char *path)
{
	return !flock(members, LOCK_EX | LOCK_NB) && put_back(path);
}

bool thread_settings_repair(void)
{
	int gate = enter_gate(), members = thread_state_open("settings.members");
	char path[300];
	bool repaired = false;

	if (gate >= 0 && members >= 0 && !thread_state_path(path, sizeof(path), "settings.former"))
		repaired = repair(members, path);
	if (members >= 0)
		close(members);
	if (gate >= 0)
		close(gate);
	return repaired;
}

/* Note what is there, once, and change it. Under the gate. */
static bool change(const char *file, const char *path, const char *value)
{
	char former[64], noted[FILE_BYTES], line[256];

	if (!read_text(path, former, sizeof(former)))
		return false;
	former[strcspn(former, "\n")] = 0;
	if (!strcmp(former, value))
		return true;
	snprintf(line, sizeof(line), "%s %s\n", path, former);
	if (!read_text(file, noted, sizeof(noted)))
		noted[0] = 0;
	if (!strstr(noted, path) && !write_text(file, line, O_CREAT | O_APPEND))
		return false;
	return write_text(path, value, 0);
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
static void lift_throttling(const uint32_t linux_cpus[], const char *file, char reason[256])
{
	bool fair_server_stays = false;
	char path[128];

	if (!thread_program.other_cpus_differ) {
		thread_notice(reason, "RT throttling stays: Linux has no other CPU for itself. ");
		return;
	}
	if (!change(file, RT_RUNTIME, "-1"))
		thread_notice(reason, "RT throttling stays: cannot write " RT_RUNTIME ". ");
	for (unsigned i = 0; i < thread_program.cpu_count; i++) {
		snprintf(path, sizeof(path), FAIR_SERVER, linux_cpus[i]);
		if (!change(file, path, "0"))
			fair_server_stays = true;
	}
	if (fair_server_stays && kernel_has_fair_server())
		thread_notice(reason, "the fair server stays, up to 50 ms a second where others "
				      "wait: cannot write /sys/kernel/debug (mount debugfs). ");
}

static void hold_latency(void)
{
	const int32_t none_us = 0;

	latency_fd = thread_aside(open(LATENCY, O_WRONLY | O_CLOEXEC));
	if (latency_fd >= 0 && write(latency_fd, &none_us, sizeof(none_us)) != sizeof(none_us)) {
		close(latency_fd);
		latency_fd = -1;
	}
}

void thread_settings_start(const struct hal_config *config, const uint32_t linux_cpus[],
			   char reason[256])
{
	bool lift = config->idle == HAL_IDLE_SPIN && thread_program.options.throttle &&
		    thread_program.fifo;
	char path[300];
	int gate;

	if (thread_program.options.power)
		hold_latency();
	if (!lift || geteuid()) {
		thread_settings_repair();
		if (lift)
			thread_notice(reason, "RT throttling stays: only root may lift it. ");
		return;
	}
	gate = enter_gate();
	members_fd = thread_state_open("settings.members");
	if (gate >= 0 && members_fd >= 0 &&
	    !thread_state_path(path, sizeof(path), "settings.former")) {
		repair(members_fd, path);
		flock(members_fd, LOCK_SH);
		/* The guardian first: from the first change on somebody stands by. */
		if (guardian_start())
			thread_notice(reason, "RT throttling stays: no guardian process. ");
		else
			lift_throttling(linux_cpus, path, reason);
	}
	if (gate >= 0)
		close(gate);
}

void thread_settings_stop(void)
{
	if (latency_fd >= 0)
		close(latency_fd);
	if (members_fd >= 0) {
		close(members_fd);
		/* If the guardian was killed, we are the ones left. */
		if (!guardian_dismiss())
			thread_settings_repair();
	}
	latency_fd = members_fd = -1;
}

void thread_settings_forget(void)
{
	if (latency_fd >= 0)
		close(latency_fd);
	if (members_fd >= 0)
		close(members_fd);
	latency_fd = members_fd = -1;
	guardian_forget();
}
