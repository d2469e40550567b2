/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spinning locks of modules that one task at a time owns. */
#ifndef TACTUS_RTAI_RTAI_MODULE_SPL_H
#define TACTUS_RTAI_RTAI_MODULE_SPL_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* 0; -ENOMEM. */
int rt_spl_init(SPL *spl) __asm__("rtai_module_spl_init");
/* 0; RTE_OBJINV: no lock. */
int rt_spl_delete(SPL *spl) __asm__("rtai_module_spl_delete");

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
