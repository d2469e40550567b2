/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loaded before the C library: only the first thread can be made. At the end it prints how many
 * threads were joined. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static int made, joined;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*entry)(void *),
		   void *argument)
{
	int (*real)(pthread_t * thread, const pthread_attr_t *attributes, void *(*entry)(void *),
		    void *argument);

	if (made)
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	made++;
	return real(thread, attributes, entry, argument);
}

int pthread_join(pthread_t thread, void **result)
{
	int (*real)(pthread_t thread, void **result);

	*(void **)&real = dlsym(RTLD_NEXT, "pthread_join");
	joined++;
	return real(thread, result);
}

__attribute__((destructor)) static void tell(void)
{
	fprintf(stderr, "made %d joined %d\n", made, joined);
}
