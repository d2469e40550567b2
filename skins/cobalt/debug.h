/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What threads are told by SIGDEBUG beside their switches to secondary mode. */
#ifndef COBALT_DEBUG_H
#define COBALT_DEBUG_H

#include "cobalt_internal.h"

#include <cobalt/pthread.h>

/* thread.c: the caller's, as pthread_setmode_np() has set them. */
int cobalt_modes(void);

/* The signal for this reason to the caller; its handler has run when this returns. */
void cobalt_debug(int reason);
/* The caller has these modes from now on. */
void cobalt_debug_modes(int modes);
/* Does the caller, which asked for it, have to wait for a thread of Linux? It is told so, once;
 * what this returns goes to cobalt_debug_again() after the wait. */
bool cobalt_debug_owner(const pthread_mutex_t *mutex);
void cobalt_debug_again(bool quiet);
/* A thread with these attributes is refused, and the program was told so: it would be of real time
 * in memory that was unlocked. */
bool cobalt_debug_unlocked(const pthread_attr_t *attr);

#endif
