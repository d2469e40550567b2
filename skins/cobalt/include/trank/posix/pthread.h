/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <cobalt/pthread.h> had in Xenomai 2. */
#ifndef TRANK_POSIX_PTHREAD_H
#define TRANK_POSIX_PTHREAD_H

#include <cobalt/pthread.h>

#endif
