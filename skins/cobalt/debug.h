/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What SIGDEBUG reports to threads besides switches to secondary mode. */
#ifndef COBALT_DEBUG_H
#define COBALT_DEBUG_H

#include "cobalt_internal.h"

#include <cobalt/pthread.h>

/* thread.c: the caller's modes, as set by pthread_setmode_np(). */
int cobalt_modes(void);

/* Send the caller the signal, with this reason. When this returns, the handler has run. */
void cobalt_debug(int reason);
/* The caller has these modes from now on. */
void cobalt_debug_modes(int modes);
/* If the caller has PTHREAD_WARNSW and has to wait for a thread that Linux runs, report that. The
 * result is passed to cobalt_debug_again() after the wait. */
bool cobalt_debug_owner(const pthread_mutex_t *mutex);
void cobalt_debug_again(bool quiet);
/* True: a thread with these attributes is refused, because it would be a real-time thread in memory
 * that was unlocked. This was reported to the program. */
bool cobalt_debug_unlocked(const pthread_attr_t *attr);

#endif
