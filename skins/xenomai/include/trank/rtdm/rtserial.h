/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <rtdm/serial.h> had in Xenomai 2. */
#ifndef TRANK_RTDM_RTSERIAL_H
#define TRANK_RTDM_RTSERIAL_H

#include <rtdm/serial.h>

#endif
