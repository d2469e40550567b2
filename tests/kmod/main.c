/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kmod-test CASE [WORDS]: runs one case against /dev/tactus of this machine. */
#define _GNU_SOURCE
#include "cases.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *name;
	int (*run)(int count, char **words);
} cases[] = {
	{"cycle", case_cycle},     {"hold", case_hold},         {"kexec", case_kexec},
	{"contain", case_contain}, {"kill", case_kill},         {"memory", case_memory},
	{"refuse", case_refuse},   {"several", case_several},   {"fuzz", case_fuzz},
	{"hang", case_hang},       {"edu", case_edu},           {"siblings", case_siblings},
	{"msix", case_msix},       {"mcheck", case_mcheck},     {"attack", case_attack},
	{"gorge", case_gorge},     {"unplug", case_unplug},     {"clock", case_clock},
	{"lines", case_lines},     {"doorbell", case_doorbell}, {"lost", case_lost},
	{"wire", case_wire},       {"starve", case_starve},     {"storm", case_storm},
	{"race", case_race},       {"ends", case_ends},         {"permit", case_permit},
	{"bound", case_bound},
};

static int failed;

void check(bool good, const char *format, ...)
{
	va_list words;

	va_start(words, format);
	printf(good ? "ok " : "not ok ");
	vprintf(format, words);
	printf("\n");
	fflush(stdout);
	va_end(words);
	failed += !good;
}

void progress(const char *format, ...)
{
	static double next;
	double now = now_ms();
	va_list words;
	FILE *console;

	if (now < next)
		return;
	next = now + 10000;
	console = fopen("/dev/console", "w");
	if (!console)
		return;
	fprintf(console, "kmod-test: %.0f s: ", now / 1000);
	va_start(words, format);
	vfprintf(console, format, words);
	va_end(words);
	fprintf(console, "\n");
	fclose(console);
}

int checks_failed(void)
{
	return failed != 0;
}

double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

bool becomes(bool (*condition)(void *data), void *data)
{
	for (int i = 0; i < 5000; i++) {
		if (condition(data))
			return true;
		usleep(1000);
	}
	return false;
}

bool cpu_is_online(unsigned cpu)
{
	char path[64], digit = '0';
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fread(&digit, 1, 1, file) != 1)
		digit = '0';
	fclose(file);
	return digit == '1';
}

static bool is_online(void *data)
{
	return cpu_is_online(*(unsigned *)data);
}

bool cpu_comes_back(unsigned cpu)
{
	return becomes(is_online, &cpu);
}

unsigned long interrupts_heard(int interrupt, unsigned *cpus)
{
	FILE *file = fopen("/proc/interrupts", "r");
	unsigned long sum = 0;
	char line[512];

	*cpus = 0;
	while (file && fgets(line, sizeof(line), file)) {
		char *at = line, *end;

		if (strtol(line, &at, 10) != interrupt || *at != ':')
			continue;
		for (at++;; at = end) {
			unsigned long count = strtoul(at, &end, 10);

			if (end == at)
				break;
			sum += count;
			*cpus += count > 0;
		}
	}
	if (file)
		fclose(file);
	return sum;
}

static pthread_t owners[TACT_BARE_MAX_CORES];
static int results[TACT_BARE_MAX_CORES];

static void *owner(void *data)
{
	struct ring3 *self = data;

	do
		results[self->core] = ring3_run(self);
	while (results[self->core] == -EINTR);
	return NULL;
}

void owner_begin(struct ring3 *self)
{
	pthread_create(&owners[self->core], NULL, owner, self);
}

int owner_end(struct ring3 *self)
{
	pthread_join(owners[self->core], NULL);
	return results[self->core];
}

int main(int count, char **words)
{
	for (unsigned i = 0; count > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(words[1], cases[i].name) == 0)
			return cases[i].run(count - 1, words + 1);
	fprintf(stderr, "usage: kmod-test CASE [WORDS]\n");
	return 2;
}
