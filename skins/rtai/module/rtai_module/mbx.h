/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mailboxes of modules. */
#ifndef TACTUS_RTAI_RTAI_MODULE_MBX_H
#define TACTUS_RTAI_RTAI_MODULE_MBX_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* 0; -EINVAL: a size below 1, or another type; -ENOMEM. */
int rt_typed_mbx_init(MBX *mbx, int size, int qtype) __asm__("rtai_module_mbx_init");

static inline int rt_mbx_init(MBX *mbx, int size)
{
	return rt_typed_mbx_init(mbx, size, PRIO_Q);
}

/* 0; -EINVAL: no mailbox. */
int rt_mbx_delete(MBX *mbx) __asm__("rtai_module_mbx_delete");

MBX *_rt_typed_named_mbx_init(unsigned long mbx_name, int size, int qtype,
			      unsigned long *handle) __asm__("rtai_module_named_mbx_init");

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
