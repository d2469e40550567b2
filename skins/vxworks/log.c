/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of logMsg(). A caller in any context puts its message into a queue of the nucleus; a
 * task of the highest priority formats and prints it. Only the arguments are copied, so a string
 * that a message points to has to stay. Messages that find the queue full are lost and counted.
 */
#include <logLib.h>

#include <intLib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io.h"

#define MESSAGES    256
#define LINE_BYTES  512
#define DESCRIPTORS 5u
#define LOG_ARGS    6

struct message {
	const char *format;
	_Vx_usr_arg_t args[LOG_ARGS];
	int task; /* 0: a handler or main() */
	bool from_handler;
	char name[RUNTIME_NAME_BYTES]; /* of the task */
};

static tact_queue_t messages;
static _Atomic uint32_t lost;
/* Number plus 1; 0: none. */
static _Atomic int descriptor[DESCRIPTORS] = {STDOUT_FILENO + 1};

static void print(const char *line, int length)
{
	for (uint32_t i = 0; i < DESCRIPTORS; i++) {
		const int file = atomic_load(&descriptor[i]);

		if (file && vxworks_write(file - 1, line, (size_t)length) < 0)
			continue;
	}
}

static int cut(int length)
{
	return length < LINE_BYTES ? length : LINE_BYTES - 1;
}

/* The format is the program's. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static int format(const struct message *message, char *line)
{
	const _Vx_usr_arg_t *a = message->args;
	int length;

	if (message->from_handler)
		length = snprintf(line, LINE_BYTES, "interrupt: ");
	else
		length = snprintf(line, LINE_BYTES, "0x%x (%s): ", (unsigned int)message->task,
				  message->name);
	length += snprintf(line + length, LINE_BYTES - (size_t)length, message->format, a[0], a[1],
			   a[2], a[3], a[4], a[5]);
	return cut(length);
}
#pragma GCC diagnostic pop

static void serve(void *unused)
{
	struct message message;
	char line[LINE_BYTES];

	(void)unused;
	while (tact_queue_receive(messages, &message, sizeof(message), NULL, TACT_FOREVER) > 0) {
		const uint32_t missing = atomic_exchange(&lost, 0);

		print(line, format(&message, line));
		if (missing)
			print(line, cut(snprintf(line, sizeof(line),
						 "logTask: %u log messages lost.\n", missing)));
	}
}

int vxworks_log_begin(void)
{
	const struct tact_task_attr attr = {
		.name = "tLogTask", .priority = TACT_PRIORITY_MAX, .flags = TACT_TASK_NO_JOIN};
	tact_task_t task;
	int error = 0;

	if (!messages.id)
		error = tact_queue_create(NULL, sizeof(struct message), MESSAGES, TACT_FIFO,
					  &messages);
	if (!error)
		error = runtime_task_create(&attr, &task);
	return error ? error : tact_task_start(task, serve, NULL);
}

int logMsg(char *fmt, _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3,
	   _Vx_usr_arg_t arg4, _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6)
{
	const struct vxworks_object *self = vxworks_task_self();
	struct message message = {.format = fmt,
				  .args = {arg1, arg2, arg3, arg4, arg5, arg6},
				  .from_handler = vxworks_in_handler()};

	if (!fmt)
		return vxworks_fail(EINVAL);
	if (!message.from_handler && vxworks_begin() == ERROR)
		return ERROR;
	if (self && !message.from_handler) {
		message.task = vxworks_task_id(self);
		memcpy(message.name, self->record.name, sizeof(message.name));
	}
	if (tact_queue_send(messages, &message, sizeof(message), TACT_QUEUE_NORMAL, TACT_NOWAIT)) {
		atomic_fetch_add(&lost, 1);
		return vxworks_fail(S_objLib_OBJ_UNAVAILABLE);
	}
	return (int)sizeof(message);
}

static STATUS add(int fd)
{
	for (uint32_t i = 0; i < DESCRIPTORS; i++) {
		int none = 0;

		if (atomic_compare_exchange_strong(&descriptor[i], &none, fd + 1))
			return OK;
	}
	return vxworks_fail(S_objLib_OBJ_UNAVAILABLE);
}

STATUS logFdAdd(int fd)
{
	return fd < 0 ? vxworks_fail(EBADF) : add(fd);
}

STATUS logFdDelete(int fd)
{
	for (uint32_t i = 0; fd >= 0 && i < DESCRIPTORS; i++) {
		int there = fd + 1;

		if (atomic_compare_exchange_strong(&descriptor[i], &there, 0))
			return OK;
	}
	return vxworks_fail(EBADF);
}

void logFdSet(int fd)
{
	for (uint32_t i = 0; i < DESCRIPTORS; i++)
		atomic_store(&descriptor[i], 0);
	if (fd >= 0)
		(void)add(fd);
}

/* The number of messages is fixed. */
STATUS logInit(int fd, int maxMsgs)
{
	if (maxMsgs <= 0 || fd < 0)
		return vxworks_fail(EINVAL);
	logFdSet(fd);
	return vxworks_begin();
}
