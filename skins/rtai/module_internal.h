/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the calls of modules of the kernel share. Their structures lie in the module's memory; all
 * that is in one is the pointer that a program would have (rtai_internal.h).
 */
#ifndef RTAI_MODULE_INTERNAL_H
#define RTAI_MODULE_INTERNAL_H

#include "rtai_task.h"

/*
 * Make the object that a pointer names the one of a structure, which then stands for it in all
 * services. maker: where the module did that. pointer NULL: the structure is no object. Returns 0,
 * -TACT_ENOMEM (pointer is NULL).
 */
int rtai_adopt(void *structure, void *pointer, const void *maker);
/* The same of a record that is not published yet. */
void rtai_adopt_record(struct runtime_record *record, void *structure, const void *maker);
/* Tell in the log that a structure could not be made an object. */
void rtai_tell_failed(const char *call);

/* Has a task that was deleted not ended? Then code of its module may still run. */
extern _Atomic bool rtai_module_task_runs;

#endif
