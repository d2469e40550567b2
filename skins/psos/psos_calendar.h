/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates of pSOS+, and instants of the wall clock. */
#ifndef PSOS_CALENDAR_H
#define PSOS_CALENDAR_H

#include "psos_internal.h"

/* The instant of a date that is still to come. Returns 0 or the code of the call. Context: any. */
unsigned long psos_instant(unsigned long date, unsigned long time, unsigned long ticks,
			   tact_time_t *instant);

#endif
