/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of user space: what a module has of it is memory of its own process. */
#ifndef TACTUS_RTAI_LINUX_UACCESS_H
#define TACTUS_RTAI_LINUX_UACCESS_H

#include <linux/string.h>

#define VERIFY_READ                     0
#define VERIFY_WRITE                    1
#define access_ok(...)                  1
#define copy_to_user(to, from, bytes)   (memcpy(to, from, bytes), 0ul)
#define copy_from_user(to, from, bytes) (memcpy(to, from, bytes), 0ul)
#define put_user(value, pointer)        (*(pointer) = (value), 0)
#define get_user(value, pointer)        ((value) = *(pointer), 0)

typedef int mm_segment_t;
#define KERNEL_DS     0
#define USER_DS       1
#define get_fs()      KERNEL_DS
#define get_ds()      KERNEL_DS
#define set_fs(value) ((void)(value))

#endif
