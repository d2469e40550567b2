/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A sampler's sums. Seconds are the releases', so they are as long as the clock's however many
 * samples they have.
 */
#include <boilerplate/trace.h>

#include "tools/latency.h"

void latency_taking_begin(struct latency_taking *taking, uint64_t first_ns)
{
	taking->end_ns = first_ns + LATENCY_WINDOW_NS;
	taking->window = (struct latency_window){.min_ns = INT64_MAX, .max_ns = INT64_MIN};
}

/* Those after the last second that was asked for are nobody's, as those of the first. */
static bool is_measured(const struct latency_taking *taking)
{
	return taking->warm &&
	       (!taking->options.duration || taking->seconds < taking->options.duration);
}

static void see_peak(struct latency_taking *taking, int64_t late_ns)
{
	if (!taking->options.freeze || late_ns <= taking->longest_ns)
		return;
	taking->longest_ns = late_ns;
	xntrace_latpeak_freeze(late_ns < INT32_MAX ? (int)late_ns : INT32_MAX);
}

bool latency_take(struct latency_taking *taking, uint64_t release_ns, uint64_t now_ns,
		  uint64_t missed)
{
	struct latency_window *window = &taking->window;
	const int64_t late_ns = (int64_t)(now_ns - release_ns);
	const uint64_t next_ns = release_ns + (missed + 1) * taking->options.period_ns;

	window->samples++;
	window->sum_ns += late_ns;
	window->overruns += missed;
	if (late_ns < window->min_ns)
		window->min_ns = late_ns;
	if (late_ns > window->max_ns)
		window->max_ns = late_ns;
	if (is_measured(taking)) {
		see_peak(taking, late_ns);
		if (taking->all)
			latency_histogram_add(taking->all, late_ns);
	}
	if (next_ns < taking->end_ns)
		return false;
	window->seconds = (next_ns - taking->end_ns) / LATENCY_WINDOW_NS + 1;
	return true;
}

void latency_taking_next(struct latency_taking *taking)
{
	const uint64_t seconds = taking->window.seconds;

	if (taking->warm)
		taking->seconds += seconds;
	taking->warm = true;
	latency_taking_begin(taking, taking->end_ns + (seconds - 1) * LATENCY_WINDOW_NS);
}
