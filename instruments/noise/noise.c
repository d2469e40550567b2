/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-noise: what the machine itself takes from a CPU. A thread at the priority of the
 * measurements reads the clock without a pause; two readings further apart than the threshold are
 * a gap: an interrupt, a system management interrupt, or the hypervisor. Steal time is the
 * hypervisor's own word on the same span. The loop rests a fifth of the time, so that it stays
 * below the kernel's limit for real-time threads, whose stops would look like the machine's.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/machine.h"
#include "common/samples.h"

#define SPIN_NS     40000000u
#define REST_NS     10000000u
#define RATE_MAX_HZ 50000.0

struct noise {
	struct machine machine;
	struct notices notices;
	struct sample_store store;
	uint64_t duration_ns;
	uint64_t threshold_ns;
	uint64_t start_ns;
	uint64_t spun_ns;
	uint64_t gap_ns;
	uint64_t readings;
};

static const char help[] =
	"usage: tactus-noise [--cpu N] [--duration S] [--threshold-ns T] [--priority P]\n"
	"                    [--samples FILE] [--die-with-parent]\n"
	"Spins on one CPU and prints, as JSON, the gaps that the machine made.\n";

/* Ticks stolen from the CPU since boot, -1 where the kernel does not tell. */
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

	while ((now_ns = clock_now_ns()) < end_ns) {
		spin_until(noise, now_ns + SPIN_NS < end_ns ? now_ns + SPIN_NS : end_ns);
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
	}
	return NULL;
}

static int parse(struct noise *noise, int argc, char **argv, int *priority, const char **path)
{
	static const struct option options[] = {
		{"cpu", required_argument, NULL, 'c'},
		{"duration", required_argument, NULL, 'd'},
		{"priority", required_argument, NULL, 'p'},
		{"samples", required_argument, NULL, 's'},
		{"threshold-ns", required_argument, NULL, 't'},
		{"help", no_argument, NULL, 'h'},
		{"die-with-parent", no_argument, NULL, 'k'},
		{NULL, 0, NULL, 0},
	};
	double number;
	char *end;
	int key;

	while ((key = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (key == 'h' || key == '?') {
			fputs(help, key == 'h' ? stdout : stderr);
			return key == 'h' ? 1 : -1;
		}
		if (key == 'k') {
			machine_die_with_parent();
			continue;
		}
		if (key == 's') {
			*path = optarg;
			continue;
		}
		number = strtod(optarg, &end);
		if (end == optarg || *end != '\0' || !(number >= 0 && number <= 1e6))
			goto refuse_number;
		if (key == 'c' && number < MACHINE_CPUS_MAX)
			noise->machine.cpu = (int)number;
		else if (key == 'd' && number >= 0.1 && number <= 86400)
			noise->duration_ns = (uint64_t)(number * 1e9);
		else if (key == 'p' && number >= 1 && number <= 99)
			*priority = (int)number;
		else if (key == 't' && number >= 100)
			noise->threshold_ns = (uint64_t)number;
		else
			goto refuse_number;
	}
	return 0;

refuse_number:
	fprintf(stderr,
		"tactus-noise: %s: use --cpu 0-4095, --duration 0.1-86400 (seconds), "
		"--priority 1-99, --threshold-ns 100-1000000\n",
		optarg);
	return -1;
}

static void print(const struct noise *noise, long long steal_before, long long steal_after)
{
	const struct sample_totals totals = samples_totals(&noise->store);
	const long ticks_hz = sysconf(_SC_CLK_TCK);

	printf("{\"cpu\": %d, \"realtime\": %s, \"threshold_ns\": %" PRIu64
	       ", \"spun_ns\": %" PRIu64 ", \"readings\": %" PRIu64 ", \"gaps\": %" PRIu64
	       ", \"gap_ns\": %" PRIu64 ", \"max_gap_ns\": %" PRId64 ", \"steal_ns\": ",
	       noise->machine.cpu, noise->machine.realtime ? "true" : "false", noise->threshold_ns,
	       noise->spun_ns, noise->readings, totals.samples, noise->gap_ns,
	       totals.samples ? totals.max_ns : 0);
	if (steal_before < 0 || steal_after < steal_before)
		printf("null");
	else
		printf("%lld", (steal_after - steal_before) * (1000000000ll / ticks_hz));
	printf(", \"notices\": [");
	for (unsigned int i = 0; i < noise->notices.count; i++)
		printf("%s\"%s\"", i ? ", " : "", noise->notices.text[i]);
	printf("]}\n");
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
	if (error != 0) {
		fprintf(stderr, "tactus-noise: no thread: %s: raise `ulimit -u` and `ulimit -l`\n",
			strerror(error));
		return -1;
	}
	(void)pthread_join(thread, NULL);
	if (samples_finish(&noise->store, noise->start_ns) < 0)
		return -1;
	if (samples_lost(&noise->store) > 0) {
		fprintf(stderr, "tactus-noise: more than %g gaps a second: raise --threshold-ns\n",
			RATE_MAX_HZ);
		return -1;
	}
	print(noise, steal_before, steal_ticks(noise->machine.cpu));
	return fflush(stdout) == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	static struct noise noise;
	const double rate_hz = RATE_MAX_HZ;
	const char *path = NULL;
	uint64_t expected;
	int priority = 80;
	int status;

	noise.machine.cpu = machine_highest_cpu();
	noise.duration_ns = 2000000000;
	noise.threshold_ns = 1000;
	status = parse(&noise, argc, argv, &priority, &path);
	if (status != 0)
		return status < 0 ? 2 : 0;
	if (machine_prepare(&noise.machine, noise.machine.cpu, priority, &noise.notices) < 0)
		return 2;
	expected = (uint64_t)((double)noise.duration_ns / 1e9 * rate_hz);
	if (samples_open(&noise.store, 1, &expected, &rate_hz, path) < 0)
		return 2;
	status = measure(&noise, priority) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	samples_close(&noise.store);
	return status;
}
