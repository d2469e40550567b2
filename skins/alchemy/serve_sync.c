/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores, for other processes. */
#include <alchemy/sem.h>

#include "between.h"

static int64_t serve_sem(struct session_call *call)
{
	RT_SEM sem = {.handle = (uintptr_t)call->object};
	struct timespec until;

	switch (call->service) {
	case AWAY(ALCHEMY_SEM, AWAY_CHECK):
		return 0;
	case AWAY(ALCHEMY_SEM, AWAY_DELETE):
		return rt_sem_delete(&sem);
	case AWAY(ALCHEMY_SEM, AWAY_INQUIRE):
		return rt_sem_inquire(&sem, alchemy_served_room(call, sizeof(RT_SEM_INFO)));
	case AWAY_SEM_P:
		return rt_sem_p_timed(&sem, alchemy_served_until(call, &until));
	case AWAY_SEM_V:
		return rt_sem_v(&sem);
	case AWAY_SEM_BROADCAST:
		return rt_sem_broadcast(&sem);
	default:
		return -EINVAL;
	}
}

int64_t alchemy_serve_sync(struct session_call *call)
{
	return serve_sem(call);
}
