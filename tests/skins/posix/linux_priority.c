/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A task that calls Linux has its requested priority there: it is as urgent as plain threads of
 * that priority, which are served in turn with it, not after it. Tactus's own threads have 98 and
 * 99.
 */
#include "check.h"

#define HIGHEST 97

/* In /proc/thread-self/stat, counted from the end of the name. Source: proc(5), field 40. */
#define FIELDS_BEFORE 37

static int priority_in_linux(void)
{
	char text[512] = "";
	FILE *file = fopen("/proc/thread-self/stat", "r");
	const char *at;

	if (!file)
		return -1;
	(void)!fgets(text, sizeof(text), file);
	fclose(file);
	at = strrchr(text, ')');
	for (int i = 0; at && i <= FIELDS_BEFORE; i++)
		at = strchr(at + 1, ' ');
	return at ? atoi(at) : -1;
}

static void *reports(void *unused)
{
	(void)unused;
	for (int priority = 1; priority <= HIGHEST; priority++) {
		const struct sched_param parameter = {.sched_priority = priority};
		const struct timespec shortly = {.tv_nsec = 1000};

		pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
		nanosleep(&shortly, NULL);
		SHOW(is_task_if_expected());
		printf("%d: %d in Linux\n", priority, priority_in_linux());
	}
	return NULL;
}

int main(void)
{
	pthread_join(fifo_thread(1, reports, NULL), NULL);
	return 0;
}
