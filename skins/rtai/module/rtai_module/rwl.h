/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locks of readers and writers of modules. */
#ifndef TACTUS_RTAI_RTAI_MODULE_RWL_H
#define TACTUS_RTAI_RTAI_MODULE_RWL_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* 0; -ENOMEM. */
int rt_typed_rwl_init(RWL *rwl, int type) __asm__("rtai_module_rwl_init");

static inline int rt_rwl_init(RWL *rwl)
{
	return rt_typed_rwl_init(rwl, RESEM_RECURS);
}

/* 0; RTE_OBJINV: no lock. */
int rt_rwl_delete(RWL *rwl) __asm__("rtai_module_rwl_delete");

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
