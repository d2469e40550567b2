/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* errno of the calling task and of others, and the names of the codes. */
#include <errnoLib.h>

#include <eventLib.h>
#include <intLib.h>
#include <ioLib.h>
#include <memPartLib.h>
#include <msgQLib.h>
#include <semLib.h>
#include <stdio.h>
#include <string.h>
#include <symLib.h>

#include "vxworks_errors.h"
#include "shell.h"
#include "vxworks_internal.h"

int errnoGet(void)
{
	return *vxworks_errno();
}

STATUS errnoSet(int errorValue)
{
	(void)vxworks_fail(errorValue);
	return OK;
}

/* In virtual time all tasks share one errno: then what the skin stored last counts. */
static int *error_word(struct vxworks_object *task)
{
	int *place = task->task.errno_place;

	return place && place != &errno ? place : &task->task.tcb->errorStatus;
}

int errnoOfTaskGet(int taskId)
{
	struct vxworks_object *task = vxworks_task_find(taskId);

	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	return task == vxworks_task_self() ? errnoGet() : *error_word(task);
}

STATUS errnoOfTaskSet(int taskId, int errorValue)
{
	struct vxworks_object *task = vxworks_task_find(taskId);

	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (task == vxworks_task_self())
		return errnoSet(errorValue);
	*error_word(task) = errorValue;
	return OK;
}

struct name {
	int code;
	const char *name;
};
#define NAME(CODE, MEANING) {CODE, #CODE},
static const struct name names[] = {VXWORKS_CODES(NAME)};

void printErrno(int errNo)
{
	const int code = errNo ? errNo : errnoGet();

	if (vxworks_in_handler())
		return;
	for (size_t i = 0; i < NELEMENTS(names); i++)
		if (names[i].code == code) {
			fprintf(vxworks_out(), "0x%x : %s\n", (unsigned int)code, names[i].name);
			return;
		}
	fprintf(vxworks_out(), "0x%x : %s\n", (unsigned int)code, strerror(code));
}
