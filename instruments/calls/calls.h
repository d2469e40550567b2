/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that are measured, in tables by what they are about. */
#ifndef CALLS_CALLS_H
#define CALLS_CALLS_H

#include <pthread.h>

struct call {
	const char *name;
	unsigned int count; /* of library calls that `once` makes */
	int (*once)(void);  /* 0, or not: the machine refuses it */
};

/* Each ends with a NULL name. */
extern const struct call calls_of_threads[], calls_of_descriptors[], calls_of_signals[];

/* What they are about is made, for the rest of the process. Returns 0, or -1 after one line on
 * stderr. */
int calls_prepare_threads(void);
int calls_prepare_descriptors(void);
int calls_prepare_signals(void);

/* A thread that only waits. Returns 0, or -1 after one line on stderr. */
int calls_start_waiting(pthread_t *thread, const pthread_attr_t *attributes);

#endif
