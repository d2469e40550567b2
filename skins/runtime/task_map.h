/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a native task to its record, for tasks of all skins (task_map.c). Context: any. */
#ifndef RUNTIME_TASK_MAP_H
#define RUNTIME_TASK_MAP_H

#include "runtime/task.h"

/* Returns 0, -TACT_ENOMEM: there are too many tasks. */
int task_map_enter(tact_task_t native, struct runtime_record *record);
void task_map_leave(tact_task_t native);

#endif
