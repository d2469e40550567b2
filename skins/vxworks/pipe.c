/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipes: a driver whose devices are queues of the nucleus. The driver's value of a file is the id
 * of the pipe, so a file of a pipe that was deleted names nothing.
 */
#include <pipeDrv.h>

#include <intLib.h>
#include <msgQLib.h>

#include "io.h"

static _Atomic int driver_number;

static struct vxworks_object *find(long value)
{
	return vxworks_find((void *)(uintptr_t)(uint32_t)value, VXWORKS_PIPE);
}

static tact_queue_t queue_of(const struct vxworks_object *pipe)
{
	return (tact_queue_t){runtime_native(&pipe->record).id};
}

static struct tact_queue_info state_of(const struct vxworks_object *pipe)
{
	struct tact_queue_info info = {.size = sizeof(info)};

	(void)tact_queue_inquire(queue_of(pipe), &info);
	return info;
}

static struct vxworks_object *pipe_of(DEV_HDR *device)
{
	return (struct vxworks_object *)((char *)device - offsetof(struct vxworks_object, pipe) -
					 offsetof(struct vxworks_pipe, device));
}

/* It may have been deleted since find(), before the call or in its wait. */
static STATUS failed(int error)
{
	return error == -TACT_EBADF || error == -TACT_EIDRM ? vxworks_fail(S_objLib_OBJ_DELETED)
							    : vxworks_failed(error);
}

/* A pipe is no folder: nothing may follow its name. */
static int open_pipe(DEV_HDR *device, const char *rest)
{
	return *rest ? vxworks_fail(S_iosLib_DEVICE_NOT_FOUND)
		     : (int)runtime_id(&pipe_of(device)->record);
}

static int read_pipe(long value, void *buffer, long bytes)
{
	struct vxworks_object *pipe = find(value);
	int got;

	if (!pipe)
		return vxworks_fail(S_objLib_OBJ_DELETED);
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!buffer && bytes)
		return vxworks_fail(EINVAL);
	got = tact_queue_receive(queue_of(pipe), buffer ? buffer : "", (size_t)bytes, NULL,
				 TACT_FOREVER);
	if (got < 0)
		return failed(got);
	if (selWakeupListLen(&pipe->pipe.selected)) {
		const struct tact_queue_info info = state_of(pipe);

		if (info.messages < info.depth)
			selWakeupAll(&pipe->pipe.selected, SELWRITE);
	}
	return got;
}

static int write_pipe(long value, const void *data, long bytes)
{
	struct vxworks_object *pipe = find(value);
	int error;

	if (!pipe)
		return vxworks_fail(S_objLib_OBJ_DELETED);
	if (bytes < 0 || bytes > (long)pipe->pipe.message_bytes)
		return vxworks_fail(S_msgQLib_INVALID_MSG_LENGTH);
	if (!data && bytes)
		return vxworks_fail(EINVAL);
	error = tact_queue_send(queue_of(pipe), data, (size_t)bytes, TACT_QUEUE_NORMAL,
				vxworks_in_handler() ? TACT_NOWAIT : TACT_FOREVER);
	if (error)
		return failed(error);
	/* A handler cannot ask for the state of a pipe of another CPU. */
	if (selWakeupListLen(&pipe->pipe.selected) &&
	    (vxworks_in_handler() || state_of(pipe).messages))
		selWakeupAll(&pipe->pipe.selected, SELREAD);
	return (int)bytes;
}

static STATUS tell(long argument, uint32_t number)
{
	if (!argument)
		return vxworks_fail(EINVAL);
	*(int *)(uintptr_t)argument = (int)number;
	return OK;
}

static STATUS flush(struct vxworks_object *pipe)
{
	const int dropped = tact_queue_flush(queue_of(pipe));

	if (dropped < 0)
		return failed(dropped);
	selWakeupAll(&pipe->pipe.selected, SELWRITE);
	return OK;
}

static STATUS add_node(struct vxworks_object *pipe, SEL_WAKEUP_NODE *node)
{
	struct tact_queue_info info;

	if (selNodeAdd(&pipe->pipe.selected, node) == ERROR)
		return ERROR;
	info = state_of(pipe);
	if (selWakeupType(node) == SELREAD ? info.messages : info.messages < info.depth)
		selWakeup(node);
	return OK;
}

static int control_pipe(long value, int function, long argument)
{
	struct vxworks_object *pipe = find(value);

	if (!pipe)
		return vxworks_fail(S_objLib_OBJ_DELETED);
	switch (function) {
	case FIONREAD:
		return tell(argument, state_of(pipe).first_bytes);
	case FIONMSGS:
		return tell(argument, state_of(pipe).messages);
	case FIOFLUSH:
		return flush(pipe);
	case FIOSELECT:
		return add_node(pipe, (SEL_WAKEUP_NODE *)(uintptr_t)argument);
	case FIOUNSELECT:
		return selNodeDelete(&pipe->pipe.selected, (SEL_WAKEUP_NODE *)(uintptr_t)argument);
	default:
		return vxworks_fail(S_ioLib_UNKNOWN_REQUEST);
	}
}

/* The header has no prototype. */
STATUS pipeDrv(void);

STATUS pipeDrv(void)
{
	int number;
	int none = 0;

	if (vxworks_begin() == ERROR)
		return ERROR;
	if (driver_number)
		return OK;
	number = iosDrvInstall((FUNCPTR)open_pipe, NULL, (FUNCPTR)open_pipe, NULL,
			       (FUNCPTR)read_pipe, (FUNCPTR)write_pipe, (FUNCPTR)control_pipe);
	if (number == ERROR)
		return ERROR;
	if (!atomic_compare_exchange_strong(&driver_number, &none, number))
		(void)iosDrvRemove(number, TRUE);
	return OK;
}

struct how {
	uint32_t messages;
	uint32_t bytes;
};

static int make(struct runtime_record *record, const char *key, const void *arg,
		tact_object_t *native)
{
	struct vxworks_object *pipe = (struct vxworks_object *)record;
	const struct how *how = arg;
	tact_queue_t made = {0};
	int error = tact_queue_create(key, how->bytes ? how->bytes : 1, how->messages,
				      TACT_FIFO | TACT_QUEUE_CUT, &made);

	pipe->pipe.message_bytes = how->bytes;
	selWakeupListInit(&pipe->pipe.selected);
	*native = tact_object(made);
	return error == -TACT_EINVAL ? -TACT_ENOMEM : error;
}

STATUS pipeDevCreate(const char *name, int nMessages, int nBytes)
{
	const struct how how = {(uint32_t)nMessages, (uint32_t)nBytes};
	struct vxworks_object *pipe;
	void *id;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!driver_number)
		return vxworks_fail(S_ioLib_NO_DRIVER);
	if (nMessages <= 0)
		return vxworks_fail(S_msgQLib_INVALID_QUEUE_TYPE);
	if (nBytes < 0)
		return vxworks_fail(S_msgQLib_INVALID_MSG_LENGTH);
	id = vxworks_create(VXWORKS_PIPE, make, &how);
	if (!id)
		return ERROR;
	pipe = vxworks_find(id, VXWORKS_PIPE);
	if (iosDevAdd(&pipe->pipe.device, (char *)(uintptr_t)name, driver_number) == OK)
		return OK;
	(void)runtime_delete(&vxworks_objects, (uintptr_t)id, VXWORKS_PIPE);
	return ERROR;
}

STATUS pipeDevDelete(const char *name, BOOL force)
{
	const char *rest;
	DEV_HDR *device = vxworks_device(name, &rest);
	struct vxworks_object *pipe;
	uint64_t id;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!driver_number)
		return vxworks_fail(S_ioLib_NO_DRIVER);
	if (!device || *rest || device->drvNum != driver_number)
		return vxworks_fail(S_iosLib_DEVICE_NOT_FOUND);
	pipe = pipe_of(device);
	if (!force && selWakeupListLen(&pipe->pipe.selected))
		return vxworks_fail(EBUSY);
	if (!force && vxworks_files_of(device))
		return vxworks_fail(EMFILE);
	id = runtime_id(&pipe->record);
	iosDevDelete(device);
	/* Who waits is woken: a reader is told of the deletion, select() that it may read. */
	selWakeupAll(&pipe->pipe.selected, SELREAD);
	selWakeupAll(&pipe->pipe.selected, SELWRITE);
	return vxworks_status(runtime_delete(&vxworks_objects, id, VXWORKS_PIPE));
}
