/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the examples share: start and stop, a check of results, and notes. A task that prints asks
 * Linux to do it, and leaves primary mode for that; so tasks leave notes, which main() prints at
 * the end.
 */
#ifndef EXAMPLES_EXAMPLE_H
#define EXAMPLES_EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/tact.h>

#define EXAMPLE_NO_SUCH_CPU 77   /* exit status: this machine has too few CPUs */
#define EXAMPLE_TOP         200u /* priority of a task that directs the others */

static char example_notes[4096];
static size_t example_notes_bytes;

/* Leave a note. For tasks and handlers of one real-time CPU, which do not run at the same time. */
static inline void note(const char *text)
{
	size_t bytes = strlen(text);

	if (example_notes_bytes + bytes + 1 < sizeof(example_notes)) {
		memcpy(example_notes + example_notes_bytes, text, bytes);
		example_notes_bytes += bytes;
		example_notes[example_notes_bytes++] = '\n';
	}
}

/* Every call returns 0 or more, or a negative error code. */
static inline int expect(int result, const char *what)
{
	if (result < 0) {
		fprintf(stderr, "%s: error %d\n", what, -result);
		exit(1);
	}
	return result;
}

/* A task that exists and does not run yet. */
static inline tact_task_t make(const char *name, uint32_t priority, uint32_t flags)
{
	struct tact_task_attr attr = {.name = name, .priority = priority, .flags = flags};
	tact_task_t task;

	expect(tact_task_create(&attr, &task), name);
	return task;
}

/* Take real-time CPUs from Linux. From here on there are two halves of the program. */
static inline void start(uint32_t cpus)
{
	struct tact_config config = {.cpus = cpus, .name = "example"};
	char reason[TACT_REASON_BYTES];
	int result = tact_start(&config, reason);

	/* On success too there may be something to know: what the machine could not give. */
	if (reason[0])
		fprintf(stderr, "%s\n", reason);
	if (result)
		exit(result == -TACT_ENXIO ? EXAMPLE_NO_SUCH_CPU : 1);
}

/* Run one task to its end, print the notes, and give everything back to Linux. */
static inline int run(uint32_t cpus, void (*entry)(void *arg))
{
	struct tact_task_attr attr = {.name = "director", .priority = EXAMPLE_TOP};
	tact_task_t director;

	start(cpus);
	expect(tact_task_spawn(&attr, entry, NULL, &director), "spawn");
	expect(tact_task_join(director, TACT_FOREVER), "join");
	expect(tact_stop(), "stop");
	fwrite(example_notes, 1, example_notes_bytes, stdout);
	return 0;
}

#endif
