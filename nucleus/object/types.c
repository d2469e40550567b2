/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of object types. */
#include "kernel/object.h"

extern const struct nuc_type_ops nuc_task_type;
extern const struct nuc_type_ops nuc_heap_type;
extern const struct nuc_type_ops nuc_pipe_type;
extern const struct nuc_type_ops nuc_pool_type;
extern const struct nuc_type_ops nuc_sem_type;
extern const struct nuc_type_ops nuc_port_type;
extern const struct nuc_type_ops nuc_buffer_type;
extern const struct nuc_type_ops nuc_mutex_type;
extern const struct nuc_type_ops nuc_cond_type;
extern const struct nuc_type_ops nuc_rwlock_type;
extern const struct nuc_type_ops nuc_quota_type;
extern const struct nuc_type_ops nuc_mailbox_type;
extern const struct nuc_type_ops nuc_queue_type;
extern const struct nuc_type_ops nuc_barrier_type;
extern const struct nuc_type_ops nuc_event_type;
extern const struct nuc_type_ops nuc_timer_type;
extern const struct nuc_type_ops nuc_zqueue_type;
extern const struct nuc_type_ops nuc_device_type;
extern const struct nuc_type_ops nuc_interrupt_type;

const struct nuc_type_ops *const nuc_type_table[NUC_TYPES] = {
	[NUC_TYPE_TASK] = &nuc_task_type,           [NUC_TYPE_SEM] = &nuc_sem_type,
	[NUC_TYPE_PORT] = &nuc_port_type,           [NUC_TYPE_BUFFER] = &nuc_buffer_type,
	[NUC_TYPE_MUTEX] = &nuc_mutex_type,         [NUC_TYPE_COND] = &nuc_cond_type,
	[NUC_TYPE_RWLOCK] = &nuc_rwlock_type,       [NUC_TYPE_QUOTA] = &nuc_quota_type,
	[NUC_TYPE_MAILBOX] = &nuc_mailbox_type,     [NUC_TYPE_QUEUE] = &nuc_queue_type,
	[NUC_TYPE_BARRIER] = &nuc_barrier_type,     [NUC_TYPE_EVENT] = &nuc_event_type,
	[NUC_TYPE_TIMER] = &nuc_timer_type,         [NUC_TYPE_PIPE] = &nuc_pipe_type,
	[NUC_TYPE_HEAP] = &nuc_heap_type,           [NUC_TYPE_POOL] = &nuc_pool_type,
	[NUC_TYPE_ZQUEUE] = &nuc_zqueue_type,       [NUC_TYPE_DEVICE] = &nuc_device_type,
	[NUC_TYPE_INTERRUPT] = &nuc_interrupt_type,
};
