/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whetstone, double precision (H. J. Curnow and B. A. Wichmann, "A synthetic benchmark", Computer
 * Journal 19(1), 1976), in the self-timing form of R. Longbottom: eight loops with the lengths of
 * the paper. Each is timed separately, the first at ten times its length. The figure is millions of
 * Whetstone instructions per second. The constants 0.499975 and 0.50025 of the paper are nearer to
 * one half, so that nothing tends to zero in a long run.
 * usage: SECONDS
 */
#include <math.h>
#include <stdbool.h>

#include "count.h"

#define LENGTH            100l
#define FIRST_IS_LONGER   10l
#define CALIBRATION_PART  20.0 /* the time over this: a calibration is long enough */
#define CALIBRATION_STEPS 10

static double total_seconds, checksum;

static void account(double seconds, double check)
{
	total_seconds += seconds;
	checksum += check;
}

static void array_as_parameter(double e[4], double t, double t2)
{
	for (long j = 0; j < 6; j++) {
		e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
		e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
		e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
		e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
	}
}

static void array_references(double e[4], long j, long k, long l)
{
	e[j] = e[k];
	e[k] = e[l];
	e[l] = e[j];
}

static void procedure(double *x, double *y, double *z, double t, double t1, double t2)
{
	*x = *y;
	*y = *z;
	*x = t * (*x + *y);
	*y = t1 * (*x + *y);
	*z = (*x + *y) / t2;
}

static void arrays(long passes, double e[4], double t, double t2)
{
	const double t0 = t;
	double begin;

	e[0] = 1.0;
	e[1] = -1.0;
	e[2] = -1.0;
	e[3] = -1.0;
	begin = count_now();
	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 12 * LENGTH * FIRST_IS_LONGER; i++) {
			e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
			e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
			e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
			e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
		}
		t = 1.0 - t;
	}
	account((count_now() - begin) / FIRST_IS_LONGER, e[3]);
	t = t0;
	begin = count_now();
	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 14 * LENGTH; i++)
			array_as_parameter(e, t, t2);
		t = 1.0 - t;
	}
	account(count_now() - begin, e[3]);
}

static void jumps(long passes)
{
	double begin = count_now();
	long j = 1;

	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 345 * LENGTH; i++) {
			j = j == 1 ? 2 : 3;
			j = j > 2 ? 0 : 1;
			j = j < 1 ? 1 : 0;
		}
	}
	account(count_now() - begin, (double)j);
}

static void integers(long passes, double e[4])
{
	double begin = count_now();
	long j = 1, k = 2, l = 3;

	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 210 * LENGTH; i++) {
			j = j * (k - j) * (l - k);
			k = l * k - (l - j) * k;
			l = (l - k) * (k + j);
			e[l - 2] = (double)(j + k + l);
			e[k - 2] = (double)(j * k * l);
		}
	}
	account(count_now() - begin, e[0] + e[1]);
}

static void trigonometry(long passes, double t, double t2)
{
	double begin = count_now();
	double x = 0.5, y = 0.5;

	for (long pass = 0; pass < passes; pass++) {
		for (long i = 1; i < 32 * LENGTH; i++) {
			x = t * atan(t2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1.0));
			y = t * atan(t2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1.0));
		}
		t = 1.0 - t;
	}
	account(count_now() - begin, y);
}

static void calls(long passes, double t, double t1, double t2)
{
	double begin = count_now();
	double x = 1.0, y = 1.0, z = 1.0;

	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 899 * LENGTH; i++)
			procedure(&x, &y, &z, t, t1, t2);
	}
	account(count_now() - begin, z);
}

static void references(long passes, double e[4])
{
	double begin;

	e[0] = 1.0;
	e[1] = 2.0;
	e[2] = 3.0;
	begin = count_now();
	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 616 * LENGTH; i++)
			array_references(e, 0, 1, 2);
	}
	account(count_now() - begin, e[2]);
}

static void functions(long passes, double t1)
{
	double begin = count_now();
	double x = 0.75;

	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 93 * LENGTH; i++)
			x = sqrt(exp(log(x) / t1));
	}
	account(count_now() - begin, x);
}

/* Returns the seconds that are counted. */
static double whetstone(long passes)
{
	const double t = 0.49999975, t1 = 0.50000025, t2 = 2.0;
	double e[4];

	total_seconds = 0;
	checksum = 0;
	arrays(passes, e, t, t2);
	jumps(passes);
	integers(passes, e);
	trigonometry(passes, t, t2);
	calls(passes, t, t1, t2);
	references(passes, e);
	functions(passes, t1);
	return total_seconds;
}

int main(int argc, char **argv)
{
	const double seconds = count_seconds(argv[0], argc > 1 ? argv[1] : NULL);
	double took = 0;
	long passes = 1;

	for (int step = 0; step < CALIBRATION_STEPS; step++) {
		took = whetstone(passes);
		if (took > seconds / CALIBRATION_PART)
			break;
		passes *= 5;
	}
	if (took > 0)
		passes = (long)(seconds * (double)passes / took);
	passes = passes > 0 ? passes : 1;
	took = whetstone(passes);
	if (checksum == 0 || took <= 0) {
		fprintf(stderr, "wrong values: this compiler broke Whetstone\n");
		return 1;
	}
	count_report((double)passes * LENGTH / (10 * took), 0, took);
	return 0;
}
