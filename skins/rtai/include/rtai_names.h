/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks for messages by numbers.
 */
#ifndef TACTUS_RTAI_NAMES_H
#define TACTUS_RTAI_NAMES_H

#include <rtai_msg.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * The same as rt_Alias_attach().
 * Errors:
 *   -EINVAL      name is NULL, empty or longer; the caller is no task
 * Context: task, main().
 */
pid_t rt_Name_attach(const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
