/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where Xenomai 3 has the parts that its kernel shares. */
#ifndef RTDM_UAPI_TESTING_H
#define RTDM_UAPI_TESTING_H

#include <rtdm/testing.h>

#endif
