/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of latency. What is beyond the last cell is in it, and told. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/latency.h"

static const char *const kinds[] = {"min", "avg", "max"};

int latency_histogram_make(struct latency_histogram *histogram, const struct latency_options *o)
{
	histogram->cells = o->cells;
	histogram->cell_ns = o->cell_ns;
	histogram->cell = calloc((size_t)o->cells, sizeof(*histogram->cell));
	if (histogram->cell)
		return 0;
	fprintf(stderr, "%s: no memory for %d cells: use fewer (-H)\n", latency_name, o->cells);
	return -1;
}

void latency_histogram_add(struct latency_histogram *histogram, int64_t ns)
{
	int64_t cell = (ns < 0 ? -ns : ns) / histogram->cell_ns;

	if (cell >= histogram->cells) {
		cell = histogram->cells - 1;
		histogram->beyond++;
	}
	histogram->cell[cell]++;
}

/* In cells. */
static double average(const struct latency_histogram *histogram, uint64_t *samples)
{
	double sum = 0;

	*samples = 0;
	for (int i = 0; i < histogram->cells; i++) {
		*samples += histogram->cell[i];
		sum += (double)i * (double)histogram->cell[i];
	}
	return *samples ? sum / (double)*samples : 0;
}

/* Of the population that they are a sample of. */
static double deviation(const struct latency_histogram *histogram, double mean, uint64_t samples)
{
	double sum = 0;

	for (int i = 0; i < histogram->cells; i++)
		sum += (double)histogram->cell[i] * (i - mean) * (i - mean);
	return samples > 1 ? sqrt(sum / (double)(samples - 1)) : 0;
}

static void print_cells(const struct latency_histogram *histogram, const char *kind)
{
	printf("---|--param|----range-|--samples\n");
	for (int i = 0; i < histogram->cells; i++)
		if (histogram->cell[i])
			printf("HSD|    %s| %3d -%3d | %8" PRIu64 "\n", kind, i, i + 1,
			       histogram->cell[i]);
}

static void print_statistics(const struct latency_histogram *histogram, const char *kind)
{
	uint64_t samples;
	double mean = average(histogram, &samples);

	printf("HSS|    %s| %9" PRIu64 "| %10.3f| %10.3f\n", kind, samples, mean,
	       deviation(histogram, mean, samples));
}

/* Counts are one more than they are, for scales that are logarithmic. */
static void print_for_gnuplot(FILE *file, const struct latency_histogram *histogram)
{
	const double us = histogram->cell_ns / 1000.0;
	int first = 0;
	int last = histogram->cells - 1;

	while (first < last && !histogram->cell[first])
		first++;
	while (last > first && !histogram->cell[last])
		last--;
	fprintf(file, "%g 1\n", first * us);
	for (int i = first; i <= last; i++)
		fprintf(file, "%g %" PRIu64 "\n", (i + 0.5) * us, histogram->cell[i] + 1);
	fprintf(file, "%g 1\n", (last + 1) * us);
}

static int write_gnuplot(const struct latency_histogram *histogram, const char *path)
{
	FILE *file;

	if (!strcmp(path, "-")) {
		print_for_gnuplot(stdout, histogram);
		return 0;
	}
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		return -1;
	}
	print_for_gnuplot(file, histogram);
	if (ferror(file) | fclose(file)) {
		fprintf(stderr, "%s: %s could not be written\n", latency_name, path);
		return -1;
	}
	return 0;
}

int latency_histogram_report(const struct latency_options *options,
			     const struct latency_histogram histogram[3])
{
	for (int i = 0; options->histograms && i < 3; i++)
		print_cells(&histogram[i], kinds[i]);
	printf("HSH|--param|--samples-|--average--|---stddev--\n");
	for (int i = 0; i < 3; i++)
		print_statistics(&histogram[i], kinds[i]);
	if (histogram[1].beyond)
		fprintf(stderr,
			"%s: %" PRIu64 " samples were beyond the last cell: use more (-H), or "
			"wider ones (-B)\n",
			latency_name, histogram[1].beyond);
	return options->gnuplot ? write_gnuplot(&histogram[1], options->gnuplot) : 0;
}
