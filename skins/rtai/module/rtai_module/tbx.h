/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues of messages and typed mailboxes of modules. */
#ifndef TACTUS_RTAI_RTAI_MODULE_TBX_H
#define TACTUS_RTAI_RTAI_MODULE_TBX_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* 0; -ENOMEM: also for a size below 1. */
int rt_msgq_init(RT_MSGQ *msgq, int nmsg, int msg_size) __asm__("rtai_module_msgq_init");
/* 0; RTE_OBJINV: no queue. */
int rt_msgq_delete(RT_MSGQ *msgq) __asm__("rtai_module_msgq_delete");
int rt_tbx_init(TBX *tbx, int size, int type) __asm__("rtai_module_tbx_init");
int rt_tbx_delete(TBX *tbx) __asm__("rtai_module_msgq_delete");

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
