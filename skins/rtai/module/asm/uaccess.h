/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of user space. */
#ifndef TACTUS_RTAI_ASM_UACCESS_H
#define TACTUS_RTAI_ASM_UACCESS_H

#include <linux/uaccess.h>

#endif
