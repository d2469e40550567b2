/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry: objects by name. Names are unique among all objects of a program, of whatever type.
 */
#ifndef TACTUS_REGISTRY_H
#define TACTUS_REGISTRY_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Find an object by its name, waiting for it to be created if need be.
 * name: 1 … TACT_NAME_BYTES - 1 bytes. object: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL    the name is NULL, empty or too long, or a timeout of unknown kind
 *   -TACT_EAGAIN    there is none and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none was created in time
 *   -TACT_EINTR     tact_task_unblock()
 *   -TACT_EIDRM     the program stopped meanwhile
 *   -TACT_ENOMEM    the pool of real-time CPU 0 has no room to note the name, or the timeout
 *   -TACT_EPERM     from a handler with another timeout, or not started
 * Context: task, linux; handler on real-time CPU 0 with TACT_NOWAIT. May wait. Cost: O(1) on
 * average.
 */
int tact_find(const char *name, tact_timeout_t timeout, tact_handle_t *object);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
