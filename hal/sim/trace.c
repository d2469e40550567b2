/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The trace of a run. Every scheduling decision (which entity, at which point, when, which entity
 * goes on) goes into a hash: two runs are the same if their hashes are. Optionally each decision is
 * written to a file, as a line "time entity point next", so that two runs can be compared by diff.
 * Source: FNV-1a by G. Fowler, L. C. Noll, K.-P. Vo (IETF draft-eastlake-fnv), on 64-bit words.
 */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "state.h"

#define FNV_OFFSET  0xcbf29ce484222325ull
#define FNV_PRIME   0x00000100000001b3ull
#define LINE_BYTES  128u
#define CHUNK_BYTES 16384u

static struct {
	uint64_t hash;
	int file;
	size_t used;
	char chunk[CHUNK_BYTES];
} trace = {.hash = FNV_OFFSET, .file = -1};

static const char *const point_names[SIM_POINTS] = {
	[SIM_POINT_ENTER] = "enter",
	[SIM_POINT_LEAVE] = "leave",
	[SIM_POINT_NOW] = "now",
	[SIM_POINT_KICK] = "kick",
	[SIM_POINT_COMPUTE] = "compute",
	[SIM_POINT_SPIN] = "spin",
	[SIM_POINT_IDLE] = "idle",
	[SIM_POINT_SHOT] = "shot",
	[SIM_POINT_RELAX] = "relax",
	[SIM_POINT_WAIT] = "wait",
	[SIM_POINT_WAKE] = "wake",
	[SIM_POINT_SHADOW] = "shadow",
	[SIM_POINT_LINUX_CALL] = "linux_call",
	[SIM_POINT_WATCH] = "watch",
	[SIM_POINT_EVENT] = "event",
	[SIM_POINT_START] = "start",
	[SIM_POINT_END] = "end",
};

static void fold(uint64_t word)
{
	trace.hash = (trace.hash ^ word) * FNV_PRIME;
	/* FNV moves bits upwards only. On whole words the high bits must come back down. */
	trace.hash ^= trace.hash >> 32;
}

int sim_trace_start(const char *path, char reason[HAL_REASON_BYTES])
{
	trace.hash = FNV_OFFSET;
	trace.used = 0;
	if (!path[0])
		return 0;
	trace.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (trace.file >= 0)
		return 0;
	snprintf(reason, 256, "option trace: %.150s cannot be written: %s", path, strerror(errno));
	return -TACT_EINVAL;
}

static void flush(void)
{
	size_t done = 0;

	while (done < trace.used) {
		ssize_t wrote = write(trace.file, trace.chunk + done, trace.used - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			fprintf(stderr, "tactus: the trace file is incomplete: %s\n",
				strerror(errno));
			close(trace.file);
			trace.file = -1;
			break;
		}
		done += (size_t)wrote;
	}
	trace.used = 0;
}

void sim_trace_record(const struct sim_entity *from, enum sim_point point,
		      const struct sim_entity *to)
{
	fold((uint64_t)point << 56 ^ (uint64_t)from->id << 28 ^ to->id);
	fold(to->now_ns);
	if (trace.file < 0)
		return;
	if (trace.used + LINE_BYTES > CHUNK_BYTES)
		flush();
	if (trace.file < 0)
		return;
	trace.used +=
		(size_t)snprintf(trace.chunk + trace.used, LINE_BYTES, "%" PRIu64 " %s %s %s\n",
				 to->now_ns, from->name, point_names[point], to->name);
}

void sim_trace_stop(void)
{
	if (trace.file < 0)
		return;
	flush();
	if (trace.file >= 0)
		close(trace.file);
	trace.file = -1;
}

uint64_t hal_sim_trace_hash(void)
{
	return trace.hash;
}
