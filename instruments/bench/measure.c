/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One row from start to result: takes the CPU, runs the rounds of both sides in turn, gives the CPU
 * back. Each row has its own process, because it may need its own pool, and must leave nothing to
 * the next row.
 */
#include "measure.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/clock.h"
#include "common/complain.h"
#include "with.h"

struct bench bench;

void bench_notice(const char *format, ...)
{
	va_list arguments;

	if (bench.notices == BENCH_NOTICES)
		return;
	va_start(arguments, format);
	vsnprintf(bench.notice[bench.notices++], BENCH_TEXT, format, arguments);
	va_end(arguments);
}

void bench_figure(const char *name, double value)
{
	for (unsigned int i = 0; i < bench.figures; i++)
		if (!strcmp(bench.figure[i].name, name)) {
			bench.figure[i].value = value;
			return;
		}
	bench.figure[bench.figures].name = name;
	bench.figure[bench.figures++].value = value;
}

int bench_failed(const char *what, int error)
{
	(void)complain("%s failed: %s", what, strerror(error < 0 ? -error : error));
	return error < 0 ? error : -error;
}

int bench_choose_cpu(void)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return complain("the CPUs of this process cannot be read: %s", strerror(errno));
	for (int cpu = 0; bench.cpu < 0 && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(CPU_SETSIZE - 1 - cpu, &allowed))
			bench.cpu = CPU_SETSIZE - 1 - cpu;
	if (!CPU_ISSET(bench.cpu, &allowed))
		return complain(
			"CPU %d does not exist, or is not allowed here: use --cpu with another one",
			bench.cpu);
	bench.alone = CPU_COUNT(&allowed) == 1;
	return 0;
}

/* A full task holds two descriptors. A thousand of them exceed the soft limit, which exists for
 * programs that use select(). */
static void allow_descriptors(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
}

int bench_start(void)
{
	const uint32_t cpu = (uint32_t)bench.cpu;
	const struct tact_config config = {
		.name = program_invocation_short_name,
		.linux_cpu = bench.on_sim ? NULL : &cpu,
		.pool_bytes = bench.row->pool_bytes,
		.priority = (uint32_t)bench.priority,
		.idle = TACT_IDLE_HYBRID,
	};
	char reason[TACT_REASON_BYTES];
	static cpu_set_t allowed; /* the CPUs before the first start */
	cpu_set_t others;

	if (!CPU_COUNT(&allowed))
		(void)sched_getaffinity(0, sizeof(allowed), &allowed);
	else
		(void)sched_setaffinity(0, sizeof(allowed), &allowed);
	if (tact_start(&config, reason))
		return complain("%s", reason);
	if (*reason && !bench.notices)
		bench_notice("%s", reason);
	/* Other threads of this process must not disturb the CPU under test. */
	if (!bench.on_sim && !bench.alone) {
		others = allowed;
		CPU_CLR(bench.cpu, &others);
		(void)sched_setaffinity(0, sizeof(others), &others);
	}
	return tact_trace_enable(0, 0) ? complain("the trace cannot be switched off") : 0;
}

static double quickest(const double *rounds, unsigned int count)
{
	double found = rounds[0];

	for (unsigned int i = 1; i < count; i++)
		found = rounds[i] < found ? rounds[i] : found;
	return found;
}

/* The figure of a side is its quickest round: more rounds are useless when it stays the same. */
static bool settled(const double *rounds, unsigned int done, unsigned int last)
{
	return quickest(rounds + done - last, last) >= 0.99 * quickest(rounds, done - last);
}

/* More rounds while there is time for them, or a figure changes; otherwise the requested number. */
static bool another(const struct bench_effort *effort, const struct bench_result *result,
		    uint64_t end_ns)
{
	const unsigned int done = result->rounds, last = effort->settled;

	if (last > 0 && done >= 2 * last && (!result->ours || settled(result->own, done, last)) &&
	    (!result->peers || settled(result->peer, done, last)))
		return false;
	if (done < effort->rounds)
		return true;
	return end_ns > 0 && done < BENCH_ROUNDS_MAX && clock_now_ns() < end_ns;
}

static int run_rounds(const struct bench_effort *effort, struct bench_result *result)
{
	const struct bench_row *row = bench.row;
	const uint64_t peer_operations =
		effort->operations ? effort->operations : row->peer_operations;
	const uint64_t end_ns = effort->limit_ns > 0 ? clock_now_ns() + effort->limit_ns : 0;

	while (another(effort, result, end_ns)) {
		const unsigned int i = result->rounds;

		if (result->ours)
			result->own[i] = row->run(result->operations) / (double)result->operations;
		if (result->peers)
			result->peer[i] = row->peer_run(peer_operations) / (double)peer_operations;
		if ((result->ours && result->own[i] < 0) || (result->peers && result->peer[i] < 0))
			return -1;
		result->rounds++;
	}
	return 0;
}

int bench_measure(const struct bench_row *row, const struct bench_effort *effort,
		  struct bench_result *result)
{
	int error;

	bench.row = row;
	bench.on_sim = bench_with_sim();
	*result = (struct bench_result){
		.operations = effort->operations ? effort->operations : row->operations,
		.ours = !effort->without_tactus,
		.peers = row->peer_run && !effort->without_peer,
	};
	allow_descriptors();
	bench_threads_init();
	if (bench_start())
		return 2;
	error = row->open ? row->open(result->operations) : 0;
	if (!error)
		error = run_rounds(effort, result);
	if (row->close)
		row->close();
	(void)tact_stop();
	return error != 0;
}
