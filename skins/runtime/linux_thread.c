/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of a skin: see linux_thread.h. */
#include "runtime/linux_thread.h"

#include "session_thread.h"

int runtime_linux_thread(pthread_t *thread, void *(*body)(void *), void *arg)
{
	return session_linux_thread(thread, body, arg);
}
