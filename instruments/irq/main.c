/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-irq: the time from an external interrupt to the kernel's handler, and to a task that it
 * wakes. The interrupt is that of QEMU's edu device if there is one, otherwise that of a timer; the
 * result says which. With --core bare, the device's handler and task are those of Tactus, on a
 * core.
 * Exit status 0: the result is complete; 1: the measurement failed; 2: it could not start.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/arguments.h"
#include "common/complain.h"
#include "common/json.h"
#include "measure.h"

enum choice { CHOICE_AUTO, CHOICE_EDU, CHOICE_TIMER };
enum back_end { BACK_END_LINUX, BACK_END_BARE };
enum place { PLACE_AUTO, PLACE_HERE, PLACE_ELSEWHERE };

static const char *const back_end_names[] = {"linux", "bare", NULL};

static const char *const context_names[] = {"task", "handler"};

/* Returns 0, or -1 after one line on stderr. */
static int open_source(struct irq_measure *measure, int choice)
{
	char reason[NOTICES_TEXT_SIZE] = "";
	int status = 1;

	if (choice != CHOICE_TIMER)
		status = irq_edu_open(&measure->source, measure->machine.cpu, &measure->notices,
				      reason);
	if (status <= 0)
		return status;
	if (choice == CHOICE_EDU)
		return complain("--source edu: %s", reason);
	if (choice == CHOICE_AUTO)
		notices_add(&measure->notices, "%s: measuring the interrupt of a timer", reason);
	return irq_timer_open(&measure->source);
}

static void write_context(struct json *json, const struct irq_measure *measure, int context)
{
	const struct sample_totals *totals = &measure->store.rings[context].totals;

	json_begin(json, NULL, '{');
	json_text(json, "context", context_names[context]);
	json_unsigned(json, "samples", totals->samples);
	if (totals->samples > 0) {
		json_signed(json, "min_ns", totals->min_ns);
		json_signed(json, "max_ns", totals->max_ns);
		json_real(json, "avg_ns", totals->sum_ns / (double)totals->samples);
	}
	json_end(json, '}');
}

static void write_json(struct json *json, const struct irq_measure *measure, int back_end)
{
	json_begin(json, NULL, '{');
	json_text(json, "instrument", "irq");
	json_text(json, "source", measure->source.name);
	json_text(json, "core", back_end_names[back_end]);
	json_signed(json, "cpu", measure->machine.cpu);
	if (measure->source.raised)
		json_signed(json, "raised_on_cpu", measure->elsewhere.cpu);
	json_signed(json, "priority", measure->priority);
	json_bool(json, "realtime", measure->machine.realtime);
	json_unsigned(json, "period_ns", measure->period_ns);
	json_unsigned(json, "loops", measure->loops);
	json_unsigned(json, "skipped", measure->skipped);
	json_unsigned(json, "unmatched", measure->unmatched);
	json_unsigned(json, "start_ns", measure->start_ns);
	json_begin(json, "rows", '[');
	for (int context = 0; context < IRQ_CONTEXTS; context++)
		write_context(json, measure, context);
	json_end(json, ']');
	json_notices(json, &measure->notices);
	json_end(json, '}');
}

static void print(const struct irq_measure *measure)
{
	for (unsigned int i = 0; i < measure->notices.count; i++)
		printf("notice: %s\n", measure->notices.text[i]);
	printf("%s, period %.1f us, CPU %d, %" PRIu64 " interrupts, %" PRIu64 " skipped\n",
	       measure->source.raised ? "interrupt of the edu device" : "interrupt of a timer",
	       (double)measure->period_ns / 1e3, measure->machine.cpu, measure->served,
	       measure->skipped);
	for (int context = IRQ_CONTEXTS - 1; context >= 0; context--) {
		const struct sample_totals *totals = &measure->store.rings[context].totals;

		if (totals->samples > 0)
			printf("to %-8s %8" PRIu64 " samples, min %.3f us, avg %.3f us, max %.3f "
			       "us\n",
			       context_names[context], totals->samples,
			       (double)totals->min_ns / 1e3,
			       totals->sum_ns / (double)totals->samples / 1e3,
			       (double)totals->max_ns / 1e3);
	}
}

static int run(struct irq_measure *measure, struct json *json, int back_end)
{
	const int status =
		back_end == BACK_END_BARE ? irq_bare_run(measure) : irq_measure_run(measure);

	if (status < 0 || samples_finish(&measure->store, measure->start_ns) < 0)
		return -1;
	if (!json_has_stdout(json))
		print(measure);
	write_json(json, measure, back_end);
	return json_close(json);
}

int main(int argc, char **argv)
{
	static const char *const choices[] = {"auto", "edu", "timer", NULL};
	static const char *const places[] = {"auto", "here", "elsewhere", NULL};
	static struct irq_measure measure = {.period_ns = 1000000, .priority = 80};
	const char *json_path = NULL, *samples_path = NULL;
	uint64_t duration_ns = 2000000000u, expected[IRQ_CONTEXTS];
	double rates[IRQ_CONTEXTS];
	bool die_with_parent = false;
	int choice = CHOICE_AUTO, back_end = BACK_END_LINUX, place = PLACE_AUTO, status;
	struct json json;
	const struct argument table[] = {
		{"source", ARGUMENT_CHOICE, &choice, 0, 0, choices, "source of the interrupts"},
		{"core", ARGUMENT_CHOICE, &back_end, 0, 0, back_end_names,
		 "back end of the handler and the task"},
		{"raise", ARGUMENT_CHOICE, &place, 0, 0, places,
		 "raise the interrupt of edu on the CPU under test, or on another (only linux)"},
		ARGUMENT_OF_PERIOD(&measure.period_ns),
		ARGUMENT_OF_SECONDS(&duration_ns),
		{"loops", ARGUMENT_COUNT, &measure.loops, 0, IRQ_LOOPS_MAX, NULL,
		 "number of interrupts; 0: for --seconds"},
		ARGUMENT_OF_CPU(&measure.machine.cpu),
		ARGUMENT_OF_PRIORITY(&measure.priority),
		ARGUMENT_OF_SAMPLES(&samples_path),
		ARGUMENT_OF_JSON(&json_path),
		ARGUMENT_OF_DYING(&die_with_parent),
		{.name = NULL},
	};

	measure.machine.cpu = machine_highest_cpu();
	status = arguments_parse(
		"Time from an interrupt to its handler, and to the task that it wakes.", table,
		argc, argv);
	if (status != 0)
		return status < 0 ? 2 : 0;
	if (back_end == BACK_END_BARE && (choice == CHOICE_TIMER || place == PLACE_ELSEWHERE)) {
		(void)complain("--core bare measures interrupts of edu, raised on the core: leave "
			       "--source and --raise out, or use --core linux");
		return 2;
	}
	measure.raise_here = place == PLACE_HERE;
	if (die_with_parent)
		machine_die_with_parent();
	if (measure.loops == 0)
		measure.loops = (duration_ns + measure.period_ns - 1) / measure.period_ns;
	if (measure.loops > IRQ_LOOPS_MAX) {
		(void)complain(
			"%" PRIu64
			" interrupts, but at most %u in a run: lower --seconds, or raise --period",
			measure.loops, IRQ_LOOPS_MAX);
		return 2;
	}
	for (int i = 0; i < IRQ_CONTEXTS; i++) {
		expected[i] = measure.loops;
		rates[i] = 1e9 / (double)measure.period_ns;
	}
	if (machine_prepare(&measure.machine, measure.machine.cpu, measure.priority,
			    &measure.notices) < 0 ||
	    json_open(&json, json_path) < 0 ||
	    (back_end == BACK_END_LINUX && open_source(&measure, choice) < 0) ||
	    samples_open(&measure.store, IRQ_CONTEXTS, expected, rates, samples_path) < 0)
		return 2;
	status = run(&measure, &json, back_end) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	irq_source_close(&measure.source);
	samples_close(&measure.store);
	return status;
}
