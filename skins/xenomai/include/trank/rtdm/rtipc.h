/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <rtdm/ipc.h> had in Xenomai 2. */
#ifndef TRANK_RTDM_RTIPC_H
#define TRANK_RTDM_RTIPC_H

#include <rtdm/ipc.h>

#endif
