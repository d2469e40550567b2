/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all objects have in common: the table of their records, the start, and errno. */
#include "vxworks_internal.h"

#include <objLib.h>

#include "vxworks_errors.h"

static const char *const type_name[] = {"", "vx-sem"};
static const struct runtime_hooks hooks = {0};
RUNTIME_TABLE(vxworks_objects, struct vxworks_object, RUNTIME_INT_IDS, type_name, 0, &hooks);

static const struct runtime_program program = {.main_name = "vxworks:main"};
struct runtime_ticks vxworks_ticks = {RUNTIME_RATE(1000000000, 60)};

/* A handler has no thread-local storage, and handlers of one CPU do not interrupt each other. */
static int handler_errno;

STATUS vxworks_fail(int code)
{
	if (tact_mode() == TACT_MODE_HANDLER)
		handler_errno = code;
	else
		errno = code;
	return ERROR;
}

STATUS vxworks_begin(void)
{
	if (runtime_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return vxworks_status(vxworks_object_errors, runtime_begin(&program));
}

void *vxworks_create(uint32_t type, runtime_make_t *make, const void *how)
{
	uint64_t id;
	int error = runtime_create(&vxworks_objects, type, NULL, make, how, &id);

	if (error) {
		(void)vxworks_status(vxworks_object_errors, error);
		return NULL;
	}
	return (void *)(uintptr_t)id;
}
