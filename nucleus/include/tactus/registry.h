/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry: objects by name. A name is unique among all objects of a program, of all types.
 */
#ifndef TACTUS_REGISTRY_H
#define TACTUS_REGISTRY_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Find an object by its name; wait for its creation if there is none.
 * name:   1 … TACT_NAME_BYTES - 1 bytes.
 * object: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL    the name is NULL, empty or too long, or a timeout of unknown kind
 *   -TACT_EAGAIN    there is none and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none was created in time
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EIDRM     the program stopped meanwhile
 *   -TACT_ENOMEM    the pool of real-time CPU 0 has no memory for the name that is waited for, or
 *                   no timer for the timeout
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or not on real-time CPU
 *                   0; or not started
 * Context: task, linux; handler on real-time CPU 0 with TACT_NOWAIT. May wait.
 * Cost: O(1) on average.
 */
int tact_find(const char *name, tact_timeout_t timeout, tact_object_t *object);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
