/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the process of modules calls (tools/), and the parts of the skin that it needs. Neither
 * programs nor modules include it.
 */
#ifndef TACTUS_RTAI_MODULE_HOST_H
#define TACTUS_RTAI_MODULE_HOST_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* kind: "task", "sem" …; name: of the object. */
typedef void rtai_module_left_t(void *arg, const char *kind, const char *name);

/**
 * Delete all objects that code between two addresses made, and all FIFOs and handlers of it. tell:
 * is called for each. Returns their number, or -EBUSY: a task of a module that was deleted since
 * the last call has not ended, because it is in Linux, and may still run code of its module.
 * Context: linux.
 */
int rtai_module_objects_left(const void *from, const void *to, rtai_module_left_t *tell, void *arg);

/**
 * From here on FIFOs have files that other programs see, /dev/rtf0 to /dev/rtf63, where the machine
 * allows that.
 * Context: linux.
 */
void rtai_module_serve_files(void);

/**
 * rt_task_delete() as modules call it.
 * Context: linux, task.
 */
int rtai_module_task_delete(RT_TASK *task);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
