/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands of the shell that show tasks, objects and memory. */
#define _GNU_SOURCE /* dladdr() */
#include <usrLib.h>

#include <ctype.h>
#include <dlfcn.h>
#include <intLib.h>
#include <memPartLib.h>
#include <msgQLib.h>
#include <semLib.h>
#include <string.h>
#include <tactus/skin.h>
#include <wdLib.h>

#include "io.h"
#include "shell.h"

void devs(void)
{
	iosDevShow();
}

/* As `name+0x1f` if the name is exported, and with the place in the file otherwise. */
static void print_place(FILE *out, uintptr_t address)
{
	Dl_info info;

	if (!dladdr((const void *)address, &info)) {
		fprintf(out, "%#lx\n", (unsigned long)address);
		return;
	}
	if (info.dli_sname)
		fprintf(out, "%#lx %s+%#lx\n", (unsigned long)address, info.dli_sname,
			(unsigned long)(address - (uintptr_t)info.dli_saddr));
	else
		fprintf(out, "%#lx in %s at %#lx\n", (unsigned long)address, info.dli_fname,
			(unsigned long)(address - (uintptr_t)info.dli_fbase));
}

/* The outermost call first. */
STATUS tt(int taskNameOrId)
{
	const struct vxworks_object *task = vxworks_task_find(taskNameOrId);
	uintptr_t address[TACT_FRAMES_MAX];
	int count;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	count = tact_task_backtrace(vxworks_native(task), address, TACT_FRAMES_MAX);
	if (count == -TACT_EBUSY)
		return vxworks_fail(S_objLib_OBJ_UNAVAILABLE);
	if (count < 0)
		return vxworks_failed(count);
	while (count--)
		print_place(vxworks_out(), address[count]);
	return OK;
}

static const char *const type_name[] = {
	[VXWORKS_SEM] = "semaphore",
	[VXWORKS_QUEUE] = "message queue",
	[VXWORKS_PIPE] = "pipe",
	[VXWORKS_TASK] = "events",
};

/* What a task waits for: the skin's name of its type, and the skin's id. NULL: nothing, or nothing
 * of the skin's. */
static const char *object_of(const struct vxworks_object *task, uint32_t *id)
{
	struct tact_task_info info = {0};
	uint32_t types[] = {VXWORKS_SEM, VXWORKS_QUEUE, VXWORKS_PIPE};

	if (tact_task_inquire(vxworks_native(task), &info) || !info.waits_for.id)
		return NULL;
	for (size_t i = 0; i < NELEMENTS(types); i++) {
		const struct runtime_record *record =
			runtime_find_native(&vxworks_objects, info.waits_for, types[i]);

		if (record) {
			*id = (uint32_t)runtime_id(record);
			return type_name[types[i]];
		}
	}
	*id = (uint32_t)vxworks_task_id(task);
	return tact_same(info.waits_for, task->task.task.ends_too) ? type_name[VXWORKS_TASK] : NULL;
}

static void show_wait(const struct vxworks_object *task)
{
	uint32_t id = 0;
	const char *type = object_of(task, &id);

	if (type)
		fprintf(vxworks_out(), "%-16s %#10x %s %#x\n", task->record.name,
			(unsigned int)vxworks_task_id(task), type, id);
	else
		fprintf(vxworks_out(), "%-16s %#10x -\n", task->record.name,
			(unsigned int)vxworks_task_id(task));
}

static bool show_one(struct runtime_record *record, void *unused)
{
	(void)unused;
	show_wait((const struct vxworks_object *)record);
	return false;
}

void w(int taskNameOrId)
{
	const struct vxworks_object *task = vxworks_task_find(taskNameOrId);

	if (vxworks_in_handler())
		return;
	if (!taskNameOrId)
		(void)runtime_search(&vxworks_objects, VXWORKS_TASK, show_one, NULL);
	else if (task)
		show_wait(task);
}

static STATUS show_pipe(const struct vxworks_object *pipe)
{
	struct tact_queue_info info = {0};
	int error = tact_queue_inquire((tact_queue_t){runtime_native(&pipe->record).id}, &info);

	if (error)
		return vxworks_failed(error);
	fprintf(vxworks_out(),
		"pipe %#x: %s, %u of %u messages of at most %u bytes, %u tasks wait, %d in "
		"select\n",
		(unsigned int)runtime_id(&pipe->record), pipe->pipe.device.name, info.messages,
		info.depth, pipe->pipe.message_bytes, info.receivers + info.senders,
		selWakeupListLen((SEL_WAKEUP_LIST *)(uintptr_t)&pipe->pipe.selected));
	return OK;
}

static bool is(const void *id, uint32_t type)
{
	return vxworks_find(id, type) != NULL;
}

STATUS show(int objId, int level)
{
	const void *id = (const void *)(uintptr_t)(uint32_t)objId;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (is(id, VXWORKS_SEM))
		return semShow((SEM_ID)(uintptr_t)id, level);
	if (is(id, VXWORKS_QUEUE))
		return msgQShow((MSG_Q_ID)(uintptr_t)id, level);
	if (is(id, VXWORKS_WATCHDOG))
		return wdShow((WDOG_ID)(uintptr_t)id);
	if (is(id, VXWORKS_PARTITION))
		return memPartShow((PART_ID)(uintptr_t)id, level);
	if (is(id, VXWORKS_PIPE))
		return show_pipe(vxworks_find(id, VXWORKS_PIPE));
	return objId ? taskShow(objId, level) : vxworks_fail(S_objLib_OBJ_ID_ERROR);
}

void tw(int taskNameOrId)
{
	const struct vxworks_object *task = vxworks_task_find(taskNameOrId);
	uint32_t id = 0;

	if (vxworks_in_handler() || !task)
		return;
	show_wait(task);
	if (object_of(task, &id) && id != (uint32_t)vxworks_task_id(task))
		(void)show((int)id, 1);
}

STATUS memPartShow(PART_ID partId, int type)
{
	MEM_PART_STATS stats;

	(void)type;
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (memPartInfoGet(partId, &stats) == ERROR)
		return ERROR;
	fprintf(vxworks_out(),
		"partition %#x: %lu bytes in %lu blocks allocated, %lu bytes free, the largest of "
		"%lu, "
		"at most %lu were allocated\n",
		(unsigned int)(uintptr_t)partId, stats.numBytesAlloc, stats.numBlocksAlloc,
		stats.numBytesFree, stats.maxBlockSizeFree, stats.maxBytesAlloc);
	return OK;
}

void memShow(int type)
{
	(void)memPartShow(memSysPartId, type);
}

#define LINE_BYTES 16

static void show_line(FILE *out, uintptr_t address, int width)
{
	unsigned char bytes[LINE_BYTES];

	if (tact_copy(bytes, (const void *)address, sizeof(bytes))) {
		fprintf(out, "%#lx: nothing is mapped there\n", (unsigned long)address);
		return;
	}
	fprintf(out, "%#lx:", (unsigned long)address);
	for (int at = 0; at < LINE_BYTES; at += width) {
		uint64_t unit = 0;

		memcpy(&unit, bytes + at, (size_t)width);
		fprintf(out, " %0*llx", 2 * width, (unsigned long long)unit);
	}
	fprintf(out, "  *");
	for (int at = 0; at < LINE_BYTES; at++)
		fputc(isprint(bytes[at]) ? bytes[at] : '.', out);
	fprintf(out, "*\n");
}

/* Without an argument it goes on: from the end of the last ones, as many of the same width. */
void d(void *adrs, int nunits, int width)
{
	static uintptr_t next;
	static int units = 128, bytes = 2;

	if (vxworks_in_handler())
		return;
	if (adrs)
		next = (uintptr_t)adrs;
	if (nunits > 0)
		units = nunits;
	if (width == 1 || width == 2 || width == 4 || width == 8)
		bytes = width;
	for (int shown = 0; shown < units * bytes; shown += LINE_BYTES, next += LINE_BYTES)
		show_line(vxworks_out(), next, bytes);
}
