/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bits of modules. */
#ifndef TACTUS_RTAI_RTAI_MODULE_BITS_H
#define TACTUS_RTAI_RTAI_MODULE_BITS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* If there is no memory, a line of the log says so, and all calls give RTE_OBJINV. */
void rt_bits_init(BITS *bits, unsigned long mask) __asm__("rtai_module_bits_init");
/* 0; RTE_OBJINV: no bits. */
int rt_bits_delete(BITS *bits) __asm__("rtai_module_bits_delete");

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
