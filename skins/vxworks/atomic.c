/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Atomic words: the compiler's operations, all in one order. */
#include <vxAtomicLib.h>

#include <vxLib.h>

#include "vxworks_internal.h"

atomicVal_t vxAtomicAdd(atomicVal_t *target, atomicVal_t value)
{
	return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}

atomicVal_t vxAtomicAnd(atomicVal_t *target, atomicVal_t value)
{
	return __atomic_fetch_and(target, value, __ATOMIC_SEQ_CST);
}

atomicVal_t vxAtomicDec(atomicVal_t *target)
{
	return vxAtomicSub(target, 1);
}

atomicVal_t vxAtomicInc(atomicVal_t *target)
{
	return vxAtomicAdd(target, 1);
}

atomicVal_t vxAtomicNand(atomicVal_t *target, atomicVal_t value)
{
	atomicVal_t former = vxAtomicGet(target);

	while (!__atomic_compare_exchange_n(target, &former, ~(former & value), 0, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST))
		;
	return former;
}

atomicVal_t vxAtomicOr(atomicVal_t *target, atomicVal_t value)
{
	return __atomic_fetch_or(target, value, __ATOMIC_SEQ_CST);
}

atomicVal_t vxAtomicSub(atomicVal_t *target, atomicVal_t value)
{
	return __atomic_fetch_sub(target, value, __ATOMIC_SEQ_CST);
}

atomicVal_t vxAtomicXor(atomicVal_t *target, atomicVal_t value)
{
	return __atomic_fetch_xor(target, value, __ATOMIC_SEQ_CST);
}

atomicVal_t vxAtomicClear(atomicVal_t *target)
{
	return vxAtomicSet(target, 0);
}

atomicVal_t vxAtomicGet(atomicVal_t *target)
{
	return __atomic_load_n(target, __ATOMIC_SEQ_CST);
}

atomicVal_t vxAtomicSet(atomicVal_t *target, atomicVal_t value)
{
	return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

BOOL vxCas(atomicVal_t *target, atomicVal_t oldValue, atomicVal_t newValue)
{
	return __atomic_compare_exchange_n(target, &oldValue, newValue, 0, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

BOOL vxTas(void *address)
{
	return !__atomic_exchange_n((unsigned char *)address, (unsigned char)0xff,
				    __ATOMIC_SEQ_CST);
}
