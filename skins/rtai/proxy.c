/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Proxies: tasks that send a message to another task each time they are triggered. */
#include <string.h>

#include "rtai_msg_internal.h"

#define MESSAGE_MAX 256

struct rtai_proxy {
	RT_TASK *receiver;
	tact_sem_t triggers;
	int bytes;
	char message[MESSAGE_MAX];
};

/* Ends when the receiver has ended. */
static void run(void *arg)
{
	struct rtai_proxy *proxy = arg;
	const struct rtai_message message = {.data = proxy->message,
					     .bytes = proxy->bytes,
					     .send = true,
					     .until_received = true};
	int error;

	do {
		error = tact_sem_wait(proxy->triggers, TACT_FOREVER);
		if (!error)
			error = rtai_call(rtai_find(proxy->receiver, RTAI_TASK), &message,
					  TACT_FOREVER);
	} while (error >= 0 || error == -TACT_EINTR || error == -TACT_ECANCELED);
}

static RT_TASK *attach(struct runtime_record *receiver, const void *msg, int nbytes, int priority)
{
	struct runtime_record *record;
	struct rtai_proxy *proxy;

	if (!receiver || nbytes < 0 || nbytes > MESSAGE_MAX || (nbytes && !msg) || rtai_begin())
		return NULL;
	if (priority < 0)
		priority = rtai_task_of(receiver)->priority;
	proxy = rtai_alloc(sizeof(*proxy));
	if (!proxy)
		return NULL;
	*proxy = (struct rtai_proxy){.receiver = rtai_task_pointer(receiver), .bytes = nbytes};
	if (nbytes)
		memcpy(proxy->message, msg, (size_t)nbytes);
	if (tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_FIFO, &proxy->triggers))
		goto free_proxy;
	record = rtai_spawn_task(0, priority, 0, 0);
	if (!record)
		goto delete_triggers;
	rtai_task_of(record)->proxy = proxy;
	if (!runtime_task_start(record, run, proxy))
		return rtai_task_pointer(record);
	(void)tact_task_delete(rtai_native_task(record));
	runtime_task_end(&rtai_records, runtime_id(record));
delete_triggers:
	(void)tact_sem_delete(proxy->triggers);
free_proxy:
	rtai_free_block(proxy);
	return NULL;
}

static struct runtime_record *find_proxy(const RT_TASK *pointer)
{
	struct runtime_record *record = rtai_find(pointer, RTAI_TASK);

	return record && rtai_task_of(record)->proxy ? record : NULL;
}

static int detach(struct runtime_record *record)
{
	struct rtai_proxy *proxy;
	tact_task_t native;

	if (!record || runtime_in_handler())
		return -EINVAL;
	proxy = rtai_task_of(record)->proxy;
	native = rtai_native_task(record);
	runtime_task_end(&rtai_records, runtime_id(record));
	(void)tact_task_delete(native);
	(void)tact_sem_delete(proxy->triggers);
	rtai_free_block(proxy);
	return 0;
}

static struct runtime_record *trigger(struct runtime_record *record)
{
	const struct rtai_proxy *proxy;

	if (!record)
		return NULL;
	proxy = rtai_task_of(record)->proxy;
	(void)tact_sem_post(proxy->triggers);
	return rtai_find(proxy->receiver, RTAI_TASK);
}

RT_TASK *rt_proxy_attach(RT_TASK *task, void *msg, int nbytes, int priority)
{
	return attach(rtai_task_arg(task), msg, nbytes, priority);
}

int rt_proxy_detach(RT_TASK *proxy)
{
	return detach(find_proxy(proxy));
}

RT_TASK *rt_trigger(RT_TASK *proxy)
{
	return rtai_task_pointer(trigger(find_proxy(proxy)));
}

static struct runtime_record *proxy_of_number(pid_t pid)
{
	return find_proxy(rtai_task_pointer(rtai_find_number(pid)));
}

static pid_t number(struct runtime_record *record)
{
	return record ? rtai_task_of(record)->number : 0;
}

pid_t rt_Proxy_attach(pid_t pid, void *msg, int nbytes, int priority)
{
	struct runtime_record *receiver = pid ? rtai_find_number(pid) : rtai_self();
	const RT_TASK *proxy = attach(receiver, msg, nbytes, priority);

	return proxy ? number(rtai_find(proxy, RTAI_TASK)) : -ENOMEM;
}

int rt_Proxy_detach(pid_t pid)
{
	return detach(proxy_of_number(pid));
}

pid_t rt_Trigger(pid_t pid)
{
	struct runtime_record *proxy = proxy_of_number(pid);

	return proxy ? number(trigger(proxy)) : -ESRCH;
}
