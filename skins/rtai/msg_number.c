/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages and names of tasks by their numbers. */
#include <string.h>

#include <rtai_names.h>

#include "rtai_msg_internal.h"

int rt_Send(pid_t pid, void *smsg, void *rmsg, size_t ssize, size_t rsize)
{
	char nothing;
	struct runtime_record *to = rtai_find_number(pid);
	const struct rtai_message message = {
		.data = smsg,
		.bytes = ssize > INT32_MAX ? -1 : (int)ssize,
		.reply = rsize ? rmsg : &nothing,
		.room = rsize > INT32_MAX ? -1 : (int)rsize,
	};
	int result;

	if (!to)
		return -ESRCH;
	result = rtai_call(to, &message, TACT_FOREVER);
	return result < 0 ? -EINVAL : result;
}

static struct runtime_record *number_sender(pid_t pid, bool *valid)
{
	struct runtime_record *from = pid ? rtai_find_number(pid) : NULL;

	*valid = from || !pid;
	return from;
}

/* Returns the number of the sender, or an error of the nucleus. */
static int receive(pid_t pid, void *msg, size_t maxsize, size_t *msglen, tact_timeout_t timeout)
{
	struct rtai_receipt receipt = {
		.room = msg,
		.size = maxsize > INT32_MAX ? INT32_MAX : (int)maxsize,
	};
	bool valid;
	int error;

	receipt.from = number_sender(pid, &valid);
	if (!valid || (maxsize && !msg))
		return -TACT_EBADF;
	error = rtai_accept(&receipt, timeout);
	if (error)
		return error;
	if (msglen)
		*msglen = (size_t)receipt.bytes;
	return rt_get_linux_tid(receipt.sender);
}

pid_t rt_Receive(pid_t pid, void *msg, size_t maxsize, size_t *msglen)
{
	const int sender = receive(pid, msg, maxsize, msglen, TACT_FOREVER);

	return sender < 0 ? -EINVAL : sender;
}

pid_t rt_Creceive(pid_t pid, void *msg, size_t maxsize, size_t *msglen, RTIME delay)
{
	const tact_timeout_t timeout = delay > 0 ? rtai_in(delay) : TACT_NOWAIT;
	const int sender = receive(pid, msg, maxsize, msglen, timeout);

	return sender < 0 ? 0 : sender;
}

int rt_Reply(pid_t pid, void *msg, size_t size)
{
	struct runtime_record *client = rtai_find_number(pid);

	if (!client)
		return -ESRCH;
	return rtai_answer(client, msg, size > INT32_MAX ? INT32_MAX : (int)size) ? -EINVAL : 0;
}

pid_t rt_Alias_attach(const char *name)
{
	struct runtime_record *self = rtai_self();
	struct rtai_task *task;

	if (!self || !name || !*name || strlen(name) >= sizeof(task->alias))
		return -EINVAL;
	task = rtai_task_of(self);
	memset(task->alias, 0, sizeof(task->alias));
	memcpy(task->alias, name, strlen(name));
	return task->number;
}

pid_t rt_Name_attach(const char *name)
{
	return rt_Alias_attach(name);
}

static bool has_alias(void *pointer, int type, void *arg)
{
	struct runtime_record *record = type == IS_TASK ? rtai_find(pointer, RTAI_TASK) : NULL;

	return record && !strcmp(rtai_task_of(record)->alias, arg);
}

pid_t rt_Name_locate(const char *host, const char *name)
{
	RT_TASK *task;

	if ((host && *host) || !name || !*name)
		return 0;
	task = rtai_registry_search(has_alias, (void *)(uintptr_t)name);
	if (!task && strlen(name) <= 6)
		task = rt_get_adr(nam2num(name));
	return rtai_find(task, RTAI_TASK) ? rt_get_linux_tid(task) : 0;
}

int rt_Name_detach(pid_t pid)
{
	struct runtime_record *record = rtai_find_number(pid);

	if (!record)
		return -EINVAL;
	rtai_task_of(record)->alias[0] = 0;
	return 0;
}
