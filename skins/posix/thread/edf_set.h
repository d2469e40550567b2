/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread requests SCHED_DEADLINE. */
#ifndef POSIX_EDF_SET_H
#define POSIX_EDF_SET_H

#include "posix/state/deadline.h"

/* sched_setattr() of the caller with SCHED_DEADLINE; 0, or -1 and errno. */
long posix_edf_set(const struct posix_attributes *attributes);

#endif
