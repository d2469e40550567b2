/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <rtdm/testing.h> had in Xenomai 2. */
#ifndef TRANK_RTDM_RTTESTING_H
#define TRANK_RTDM_RTTESTING_H

#include <rtdm/testing.h>

#endif
