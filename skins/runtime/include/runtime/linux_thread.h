/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of a skin, which do in Linux what its tasks leave to them. */
#ifndef RUNTIME_LINUX_THREAD_H
#define RUNTIME_LINUX_THREAD_H

#include <pthread.h>

/* Make a thread without a real-time priority, even if its maker has one. It has a small stack and
 * blocks all signals. 0 or an error number. Context: linux. */
int runtime_linux_thread(pthread_t *thread, void *(*body)(void *), void *arg);

#endif
