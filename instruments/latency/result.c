/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The result of a run. It contains only counts and extremes: the reader computes percentiles from
 * the samples, so that only one place computes them. */
#include "result.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Notices contain texts of this program and of strerror(); still, no text may break the JSON. */
static void print_string(const char *text)
{
	putchar('"');
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		if ((unsigned char)*text >= ' ')
			putchar(*text);
	}
	putchar('"');
}

static void print_number(const char *key, uint64_t value)
{
	printf("\"%s\": %" PRIu64 ", ", key, value);
}

static void print_name(const char *key, const char *name)
{
	printf("\"%s\": \"%s\", ", key, name);
}

static void print_tasks(const struct latency_run *run)
{
	printf("\"task_set\": [");
	for (unsigned int i = 0; i < options_entries(&run->options); i++) {
		const struct task_plan *plan = &run->plans[i];
		const struct sample_totals *totals = &run->store.rings[i].totals;

		printf("%s{", i ? ", " : "");
		print_number("cpu", (uint64_t)run->options.cpu + plan->cpu);
		print_number("period_ns", plan->period_ns);
		print_number("offset_ns", plan->offset_ns);
		print_number("work_ns", plan->work_ns);
		print_number("overruns", totals->overruns);
		printf("\"samples\": %" PRIu64 "}", totals->samples);
	}
	printf("], ");
}

static void print_json(const struct latency_run *run, const struct sample_totals *totals)
{
	const struct latency_options *o = &run->options;

	putchar('{');
	print_name("core", options_back_end_name(o->back_end));
	print_name("context", options_context_name(o->context));
	print_name("idle", options_idle_name(o->idle));
	print_name("phases", options_phases_name(o->phases));
	print_number("tasks", o->tasks);
	printf("\"cpu\": %d, \"cpus\": %u, \"priority\": %d, ", o->cpu, o->cpus, o->priority);
	printf("\"realtime\": %s, ", run->machine.realtime ? "true" : "false");
	print_number("period_ns", o->period_ns);
	print_number("duration_ns", o->duration_ns);
	print_number("lead_ns",
		     o->back_end == LATENCY_BACK_END_LINUX_SPIN || o->lead_given ? o->lead_ns : 0);
	print_number("samples", totals->samples);
	print_number("lost", samples_lost(&run->store));
	print_number("overruns", totals->overruns);
	if (totals->samples > 0)
		printf("\"min_ns\": %" PRId64 ", \"max_ns\": %" PRId64 ", \"avg_ns\": %.3f, ",
		       totals->min_ns, totals->max_ns, totals->sum_ns / (double)totals->samples);
	print_number("start_ns", run->start_ns);
	print_number("wall_ns", run->wall_ns);
	print_number("cpu_ns", run->cpu_ns);
	print_number("spun_ns", run->spun_ns);
	print_number("anticipated_ns", run->anticipated_ns);
	print_tasks(run);
	printf("\"notices\": [");
	for (unsigned int i = 0; i < run->notices.count; i++) {
		printf("%s", i ? ", " : "");
		print_string(run->notices.text[i]);
	}
	printf("]}\n");
}

static void print_text(const struct latency_run *run, const struct sample_totals *totals)
{
	const struct latency_options *o = &run->options;

	for (unsigned int i = 0; i < run->notices.count; i++)
		printf("notice: %s\n", run->notices.text[i]);
	printf("%s %s, %u task%s, period %.1f us, CPU %d: %" PRIu64 " samples, %" PRIu64
	       " overruns\n",
	       options_back_end_name(o->back_end), options_context_name(o->context), o->tasks,
	       o->tasks == 1 ? "" : "s", (double)o->period_ns / 1e3, o->cpu, totals->samples,
	       totals->overruns);
	if (totals->samples > 0)
		printf("latency min %.3f us, avg %.3f us, max %.3f us; %.2f %% of the CPU spun\n",
		       (double)totals->min_ns / 1e3, totals->sum_ns / (double)totals->samples / 1e3,
		       (double)totals->max_ns / 1e3,
		       100 * (double)run->spun_ns / (double)run->wall_ns);
}

int result_print(const struct latency_run *run)
{
	const struct sample_totals totals = samples_totals(&run->store);

	if (run->options.json)
		print_json(run, &totals);
	else
		print_text(run, &totals);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	fprintf(stderr, "tactus-latency: the result could not be written: %s\n", strerror(errno));
	return -1;
}
