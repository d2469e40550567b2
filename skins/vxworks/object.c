/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all objects have in common: the table of their records, the start, and errno. */
#include "shell.h"
#include "vxworks_internal.h"

#include <intLib.h>
#include <ioLib.h>
#include <memPartLib.h>
#include <semLib.h>
#include <msgQLib.h>
#include <eventLib.h>
#include <symLib.h>

#include <pthread.h>
#include <signal.h>
#include <tactus/skin.h>

#include "vxworks_errors.h"

static const char *const type_name[] = {"",        "vx-task", "vx-sem", "vx-msgq",
					"vx-wdog", "vx-part", "vx-pipe"};
static void task_begins(struct runtime_record *record);
static const struct runtime_hooks hooks = {.task_begins = task_begins};
RUNTIME_TABLE(vxworks_objects, struct vxworks_object, RUNTIME_INT_IDS, type_name, VXWORKS_TASK,
	      &hooks);

static const struct runtime_program program = {.main_name = "vxworks:main"};
struct runtime_ticks vxworks_ticks = {RUNTIME_RATE(1000000000, 60)};

/* A handler has no thread-local storage, and handlers of one CPU do not interrupt each other. */
static int handler_errno;

static void task_begins(struct runtime_record *record)
{
	((struct vxworks_object *)record)->task.errno_place = &errno;
}

int *vxworks_errno(void)
{
	return tact_mode() == TACT_MODE_HANDLER ? &handler_errno : &errno;
}

STATUS vxworks_fail(int code)
{
	struct vxworks_object *self = vxworks_task_self();

	*vxworks_errno() = code;
	if (self)
		self->task.tcb->errorStatus = code;
	return ERROR;
}

void *vxworks_no_id(int code)
{
	(void)vxworks_fail(code);
	return NULL;
}

STATUS vxworks_failed(int result)
{
	return vxworks_fail(runtime_translate(vxworks_object_errors, result));
}

/* The simulation has no handlers of signals of faults. */
bool vxworks_time_is_virtual(void)
{
	return tact_fault_action(SIGSEGV, NULL, NULL) != 0;
}

STATUS vxworks_begin(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static _Atomic bool begun;
	bool begins = false;
	int error;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	error = runtime_begin(&program);
	if (error || begun)
		return vxworks_status(error);
	pthread_mutex_lock(&lock);
	if (!begun) {
		vxworks_clock_begin();
		error = vxworks_log_begin();
		begun = !error;
		begins = !error;
	}
	pthread_mutex_unlock(&lock);
	if (begins)
		vxworks_shell_by_environment();
	return vxworks_status(error);
}

void *vxworks_create(uint32_t type, runtime_make_t *make, const void *how)
{
	uint64_t id;
	int error = runtime_create(&vxworks_objects, type, NULL, make, how, &id);

	if (vxworks_status(error) == ERROR)
		return NULL;
	return (void *)(uintptr_t)id;
}

STATUS vxworks_delete(const void *id, uint32_t type)
{
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return vxworks_status(runtime_delete(&vxworks_objects, (uintptr_t)id, type));
}
