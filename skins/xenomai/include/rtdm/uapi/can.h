/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where Xenomai 3 has the parts that its kernel shares. */
#ifndef RTDM_UAPI_CAN_H
#define RTDM_UAPI_CAN_H

#include <rtdm/can.h>

#endif
