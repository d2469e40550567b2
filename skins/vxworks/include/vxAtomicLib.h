/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Atomic words. Each function is a full barrier, and gives the former value. */
#ifndef VXWORKS_VXATOMICLIB_H
#define VXWORKS_VXATOMICLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef long atomicVal_t;
typedef atomicVal_t atomic_t_vx;
#ifndef VXWORKS_NO_ATOMIC_T
typedef atomicVal_t atomic_t;
#endif
typedef int atomic32Val_t;
typedef atomic32Val_t atomic32_t;

atomicVal_t vxAtomicAdd(atomicVal_t *target, atomicVal_t value);
atomicVal_t vxAtomicAnd(atomicVal_t *target, atomicVal_t value);
atomicVal_t vxAtomicDec(atomicVal_t *target);
atomicVal_t vxAtomicInc(atomicVal_t *target);
atomicVal_t vxAtomicNand(atomicVal_t *target, atomicVal_t value);
atomicVal_t vxAtomicOr(atomicVal_t *target, atomicVal_t value);
atomicVal_t vxAtomicSub(atomicVal_t *target, atomicVal_t value);
atomicVal_t vxAtomicXor(atomicVal_t *target, atomicVal_t value);
atomicVal_t vxAtomicClear(atomicVal_t *target);
atomicVal_t vxAtomicGet(atomicVal_t *target);
atomicVal_t vxAtomicSet(atomicVal_t *target, atomicVal_t value);
BOOL vxCas(atomicVal_t *target, atomicVal_t oldValue, atomicVal_t newValue);

#ifdef __cplusplus
}
#endif

#endif
