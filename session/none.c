/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In virtual time a process has no session, so most of these calls are never made. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "session.h"

int session_join(const char *label, const struct session_skin *skin, char *reason)
{
	(void)label;
	(void)skin;
	snprintf(reason, SESSION_REASON_BYTES,
		 "in virtual time there are no sessions: each process has its own time");
	return -ENOTSUP;
}

bool session_joined(enum session_skin_id skin)
{
	(void)skin;
	return false;
}

int session_announce(const char *type, const char *name, uint64_t object)
{
	(void)type;
	(void)name;
	(void)object;
	return -ENOTSUP;
}

void session_withdraw(const char *type, const char *name)
{
	(void)type;
	(void)name;
}

int session_find(const char *type, const char *name, struct session_owner **owner, uint64_t *object)
{
	(void)type;
	(void)name;
	(void)owner;
	(void)object;
	return -ENOENT;
}

struct session_process session_process(void)
{
	return (struct session_process){0, 0};
}

int session_find_process(const struct session_process *process, struct session_owner **owner)
{
	(void)process;
	(void)owner;
	return -ENOENT;
}

int session_hear(void)
{
	return 0;
}

int64_t session_call(struct session_owner *owner, struct session_call *call)
{
	(void)owner;
	(void)call;
	return -EIDRM;
}

int session_post(struct session_owner *owner, struct session_call *call)
{
	(void)owner;
	(void)call;
	return -EIDRM;
}

void session_holds(int change)
{
	(void)change;
}

void session_follow(tact_task_t task, uint32_t priority)
{
	(void)task;
	(void)priority;
}

void session_break(tact_task_t task)
{
	(void)task;
}

int session_memory_make(size_t bytes, struct session_memory *memory)
{
	(void)bytes;
	(void)memory;
	return -ENOMEM;
}

void session_memory_free(struct session_memory *memory)
{
	(void)memory;
}

struct session_memory *session_memory_map(const struct session_owner *owner, uint64_t object,
					  int file, size_t bytes)
{
	(void)owner;
	(void)object;
	(void)file;
	(void)bytes;
	return NULL;
}

void session_memory_unmap(struct session_memory *memory)
{
	(void)memory;
}
