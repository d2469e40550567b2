/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory by names, for modules: as for programs. */
#ifndef TACTUS_RTAI_RTAI_MODULE_SHM_H
#define TACTUS_RTAI_RTAI_MODULE_SHM_H

#include <rtai_module/hal.h>

#endif
