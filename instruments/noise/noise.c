/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-noise: the time that the machine itself takes from a CPU. A thread at the priority of the
 * measurements reads the clock without a pause. Two readings further apart than the threshold are a
 * gap: an interrupt, a system management interrupt, or the hypervisor. Steal time is the
 * hypervisor's own report for the same span. The loop rests for a fifth of the time, so that it
 * stays below the kernel's limit for real-time threads, whose stops would look like gaps of the
 * machine.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/arguments.h"
#include "common/clock.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/machine.h"
#include "common/samples.h"

#define SPIN_NS      40000000u
#define REST_NS      10000000u
#define RATE_MAX_HZ  50000.0
#define THRESHOLD_NS 1000u
#define LOOKS        1001u /* readings that determine the cost of a reading */
#define READINGS     4u    /* so many readings make a gap, if the clock is slow */

struct noise {
	struct machine machine;
	struct notices notices;
	struct sample_store store;
	struct json json;
	uint64_t duration_ns;
	uint64_t threshold_ns;
	uint64_t start_ns;
	uint64_t spun_ns;
	uint64_t gap_ns;
	uint64_t readings;
};

/* Ticks stolen from the CPU since boot; -1: the kernel does not report them. */
static long long steal_ticks(int cpu)
{
	char line[256], name[16];
	long long ticks = -1;
	FILE *file = fopen("/proc/stat", "r");

	(void)snprintf(name, sizeof(name), "cpu%d ", cpu);
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, name, strlen(name)) == 0 &&
		    sscanf(line + strlen(name), "%*d %*d %*d %*d %*d %*d %*d %lld", &ticks) == 1)
			break;
	}
	if (file != NULL)
		(void)fclose(file);
	return ticks;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* If a reading of the clock is a system call or an emulated device, no reading is a gap. */
static uint64_t threshold_of_clock(void)
{
	static uint64_t took[LOOKS];
	uint64_t last_ns = clock_now_ns();

	for (size_t i = 0; i < LOOKS; i++) {
		const uint64_t now_ns = clock_now_ns();

		took[i] = now_ns - last_ns;
		last_ns = now_ns;
	}
	qsort(took, LOOKS, sizeof(took[0]), by_size);
	took[0] = READINGS * took[LOOKS / 2];
	return took[0] > THRESHOLD_NS ? took[0] : THRESHOLD_NS;
}

static void spin_until(struct noise *noise, uint64_t end_ns)
{
	const uint64_t begin_ns = clock_now_ns();
	uint64_t last_ns = begin_ns;

	while (last_ns < end_ns) {
		const uint64_t now_ns = clock_now_ns();

		if (now_ns - last_ns >= noise->threshold_ns) {
			samples_push(&noise->store, 0, last_ns - noise->start_ns,
				     (int64_t)(now_ns - last_ns), 0);
			noise->gap_ns += now_ns - last_ns;
		}
		last_ns = now_ns;
		noise->readings++;
	}
	noise->spun_ns += last_ns - begin_ns;
}

static void *noise_loop(void *arg)
{
	struct noise *noise = arg;
	const uint64_t end_ns = noise->start_ns + noise->duration_ns;
	const struct timespec rest = clock_timespec(REST_NS);
	uint64_t now_ns;

	if (noise->threshold_ns == 0)
		noise->threshold_ns = threshold_of_clock();
	while ((now_ns = clock_now_ns()) < end_ns) {
		spin_until(noise, now_ns + SPIN_NS < end_ns ? now_ns + SPIN_NS : end_ns);
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
	}
	return NULL;
}

static int report(struct noise *noise, long long steal_before, long long steal_after)
{
	const struct sample_totals totals = samples_totals(&noise->store);
	const int64_t max_gap_ns = totals.samples > 0 ? totals.max_ns : 0;
	const long ticks_hz = sysconf(_SC_CLK_TCK);
	const bool steal_known = steal_before >= 0 && steal_after >= steal_before;
	const double steal_ns =
		steal_known ? (double)(steal_after - steal_before) * 1e9 / (double)ticks_hz : NAN;
	struct json *json = &noise->json;

	json_begin(json, NULL, '{');
	json_text(json, "instrument", "noise");
	json_signed(json, "cpu", noise->machine.cpu);
	json_bool(json, "realtime", noise->machine.realtime);
	json_unsigned(json, "threshold_ns", noise->threshold_ns);
	json_unsigned(json, "spun_ns", noise->spun_ns);
	json_unsigned(json, "readings", noise->readings);
	json_unsigned(json, "gaps", totals.samples);
	json_unsigned(json, "gap_ns", noise->gap_ns);
	json_signed(json, "max_gap_ns", max_gap_ns);
	if (steal_known)
		json_unsigned(json, "steal_ns", (uint64_t)steal_ns);
	else
		json_real(json, "steal_ns", NAN);
	json_notices(json, &noise->notices);
	json_end(json, '}');
	if (json_has_stdout(json))
		return json_close(json);
	for (unsigned int i = 0; i < noise->notices.count; i++)
		printf("notice: %s\n", noise->notices.text[i]);
	printf("CPU %d: %" PRIu64
	       " gaps of %.1f us or more in %.3f s, the longest %.1f us, together %.4f %%\n",
	       noise->machine.cpu, totals.samples, (double)noise->threshold_ns / 1e3,
	       (double)noise->spun_ns / 1e9, (double)max_gap_ns / 1e3,
	       100 * (double)noise->gap_ns / (double)noise->spun_ns);
	if (steal_known)
		printf("stolen by the hypervisor, by its own report: %.1f ms\n", steal_ns / 1e6);
	return json_close(json);
}

static int measure(struct noise *noise, int priority)
{
	pthread_t thread;
	long long steal_before;
	int error;

	machine_leave_cpu(&noise->machine);
	if (samples_start(&noise->store) < 0)
		return -1;
	steal_before = steal_ticks(noise->machine.cpu);
	noise->start_ns = clock_now_ns();
	error = machine_thread_start(&noise->machine, &thread, priority, noise_loop, noise);
	if (error != 0)
		return complain("no thread: %s: raise `ulimit -u` and `ulimit -l`",
				strerror(error));
	(void)pthread_join(thread, NULL);
	if (samples_finish(&noise->store, noise->start_ns) < 0)
		return -1;
	if (samples_lost(&noise->store) > 0)
		return complain("more than %g gaps a second: raise --threshold", RATE_MAX_HZ);
	return report(noise, steal_before, steal_ticks(noise->machine.cpu));
}

int main(int argc, char **argv)
{
	static struct noise noise = {.duration_ns = 2000000000, .threshold_ns = 0};
	const double rate_hz = RATE_MAX_HZ;
	const char *samples_path = NULL, *json_path = NULL;
	bool die_with_parent = false;
	int priority = 80, status;
	const struct argument table[] = {
		ARGUMENT_OF_SECONDS(&noise.duration_ns),
		ARGUMENT_OF_CPU(&noise.machine.cpu),
		ARGUMENT_OF_PRIORITY(&priority),
		{"threshold", ARGUMENT_TIME, &noise.threshold_ns, 100, 1e6, NULL,
		 "smallest distance of two readings that is a gap (default: 1us, or four "
		 "readings)"},
		ARGUMENT_OF_SAMPLES(&samples_path),
		ARGUMENT_OF_JSON(&json_path),
		ARGUMENT_OF_DYING(&die_with_parent),
		{.name = NULL},
	};
	uint64_t expected;

	noise.machine.cpu = machine_highest_cpu();
	status = arguments_parse("Time that hardware and hypervisor take from a CPU.", table, argc,
				 argv);
	if (status != 0)
		return status < 0 ? 2 : 0;
	if (die_with_parent)
		machine_die_with_parent();
	expected = (uint64_t)((double)noise.duration_ns / 1e9 * rate_hz);
	if (machine_prepare(&noise.machine, noise.machine.cpu, priority, &noise.notices) < 0 ||
	    json_open(&noise.json, json_path) < 0 ||
	    samples_open(&noise.store, 1, &expected, &rate_hz, samples_path) < 0)
		return 2;
	status = measure(&noise, priority) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	samples_close(&noise.store);
	return status;
}
