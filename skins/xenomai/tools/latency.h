/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of latency, and of altency, share. */
#ifndef SKINS_TOOLS_LATENCY_H
#define SKINS_TOOLS_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

enum latency_mode { LATENCY_TASK = 0, LATENCY_LIGHT_TASK = 1, LATENCY_HANDLER = 2, LATENCY_MODES };

/* The sampler's: what the program is called, and how many of the modes it has. */
extern const char latency_name[];
extern const int latency_modes;

struct latency_options {
	enum latency_mode mode;
	uint64_t period_ns;
	int priority;
	int cpu;           /* -1: as it comes */
	uint64_t duration; /* in seconds; 0: until it is interrupted */
	int header_lines;  /* data lines a header; 0: no headers */
	bool quiet;
	bool break_on_switch;
	bool freeze; /* mark what is longer than all before in the trace */
	bool histograms;
	bool statistics;
	const char *gnuplot; /* file; NULL: none */
	int cells;
	int cell_ns;
};

/* 0, 1: help was asked for, or -1 with a complaint. */
int latency_options_parse(struct latency_options *options, int argc, char **argv);
const char *latency_mode_name(enum latency_mode mode);

#define LATENCY_WINDOW_NS 1000000000u

/* The samples of the releases of a second. */
struct latency_window {
	int64_t min_ns;
	int64_t max_ns;
	int64_t sum_ns;
	uint64_t samples;
	uint64_t overruns;
	uint64_t switches; /* to secondary mode, since the start */
	uint64_t seconds;  /* 1; more where all releases of a second were missed */
};

struct latency_histogram {
	uint64_t *cell;
	uint64_t beyond; /* of them in the last one */
	int cells;
	int cell_ns;
};

/* 0, or -1: no memory. */
int latency_histogram_make(struct latency_histogram *histogram, const struct latency_options *o);
/* Early ones count as late ones do. Context: any. */
void latency_histogram_add(struct latency_histogram *histogram, int64_t ns);
/* Print the lines HSD and HSS of histograms of min, avg and max, as asked for; -1 when the file for
 * gnuplot could not be written. */
int latency_histogram_report(const struct latency_options *options,
			     const struct latency_histogram histogram[3]);

/* A sampler's: what it adds up. */
struct latency_taking {
	struct latency_options options;
	struct latency_histogram *all;
	struct latency_window window;
	uint64_t end_ns;    /* of the window */
	uint64_t seconds;   /* that are over, but for that for warming up */
	int64_t longest_ns; /* that was marked in the trace */
	bool warm;
};

void latency_taking_begin(struct latency_taking *taking, uint64_t first_ns);
/*
 * A sample, and how many releases after this one are gone. True: the window is over; after
 * latency_taking_next() it is the next one. Context: any.
 */
bool latency_take(struct latency_taking *taking, uint64_t release_ns, uint64_t now_ns,
		  uint64_t missed);
void latency_taking_next(struct latency_taking *taking);

/*
 * The sampler: windows come out of it one after the other, the first one for warming up. all:
 * counts each sample of the windows that follow; NULL: nobody does.
 */
int latency_sampler_start(const struct latency_options *options, struct latency_histogram *all);
/* The next window: 1, 0: not within a tenth of a second, or a negative error. */
int latency_sampler_next(struct latency_window *window);
void latency_sampler_stop(void);

#endif
