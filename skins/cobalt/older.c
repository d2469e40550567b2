/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Services for threads by their names in Xenomai 2. */
#include "cobalt_internal.h"

#include <pthread.h>

int pthread_set_mode_np(int clrmask, int setmask)
{
	const int others = ~PTHREAD_PRIMARY;
	int error = 0;

	/* Called without modes, the other service would switch to primary mode. */
	if ((clrmask | setmask) & others || !((clrmask | setmask) & PTHREAD_PRIMARY))
		error = pthread_setmode_np(clrmask & others, setmask & others, NULL);
	if (error)
		return error;
	if (setmask & PTHREAD_PRIMARY)
		cobalt_thread_harden();
	else if (clrmask & PTHREAD_PRIMARY)
		cobalt_thread_relax();
	return 0;
}

int pthread_set_name_np(pthread_t thread, const char *name)
{
	return pthread_setname_np(thread, name);
}
