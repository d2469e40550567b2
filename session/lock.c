/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The locks of sessions raise their holders, as real-time threads may wait for them. */
#include "internal.h"

void session_lock_make(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	(void)pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}
