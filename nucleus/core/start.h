/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Is the nucleus started? Written by tact_start() and tact_stop(). */
#ifndef NUC_START_H
#define NUC_START_H

#include <stdbool.h>

extern bool nuc_started;

#endif
