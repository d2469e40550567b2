/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory. */
#ifndef TACTUS_RTAI_LINUX_MALLOC_H
#define TACTUS_RTAI_LINUX_MALLOC_H

#include <linux/slab.h>

#endif
