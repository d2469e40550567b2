/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <rtdm/can.h> had in Xenomai 2. */
#ifndef TRANK_RTDM_RTCAN_H
#define TRANK_RTDM_RTCAN_H

#include <rtdm/can.h>

#include "rtdm.h"

#endif
