/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of a skin's own, which do in Linux what its tasks leave to it. */
#ifndef SKINS_XENOMAI_LINUX_THREAD_H
#define SKINS_XENOMAI_LINUX_THREAD_H

#include <pthread.h>

/* One of no priority, whatever its maker has, with a small stack, that takes no signals. 0 or an
 * error number. Context: linux. */
int skin_linux_thread(pthread_t *thread, void *(*body)(void *), void *arg);

#endif
