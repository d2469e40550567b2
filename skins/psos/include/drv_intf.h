/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What drivers include: struct ioparms is in psoscfg.h. */
#ifndef TACTUS_DRV_INTF_H
#define TACTUS_DRV_INTF_H

#include "psoscfg.h"

#endif
