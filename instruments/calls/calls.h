/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measured calls, in tables by subject. */
#ifndef CALLS_CALLS_H
#define CALLS_CALLS_H

#include <pthread.h>

struct call {
	const char *name;
	unsigned int count; /* number of library calls in `once` */
	int (*once)(void);  /* 0, or another value: the machine refuses it */
};

/* Each ends with a NULL name. */
extern const struct call calls_of_threads[], calls_of_descriptors[], calls_of_signals[];

/* Make the objects of the calls, for the rest of the process. Return 0, or -1 after one line on
 * stderr. */
int calls_prepare_threads(void);
int calls_prepare_descriptors(void);
int calls_prepare_signals(void);

/* Start a thread that only waits. Returns 0, or -1 after one line on stderr. */
int calls_start_waiting(pthread_t *thread, const pthread_attr_t *attributes);

#endif
