/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The wait for a release, with missed releases counted as in Xenomai's interfaces. */
#ifndef SKINS_PERIOD_H
#define SKINS_PERIOD_H

#include <stdint.h>

/* As tact_task_wait_period(), but the release that is given now does not count as missed: a caller
 * that is late by less than a period gets 0 and no overruns, at once. A caller that is not periodic
 * gets -EWOULDBLOCK. */
int skin_wait_period(uint64_t *overruns);

#endif
