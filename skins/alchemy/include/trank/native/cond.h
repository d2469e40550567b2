/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/cond.h> had in Xenomai 2, and the figures that a condition had there. */
#ifndef TRANK_NATIVE_COND_H
#define TRANK_NATIVE_COND_H

#include <alchemy/cond.h>
#include <trank/native/mutex.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rt_cond_info {
	int nwaiters; /* tasks that wait */
	char name[XNOBJECT_NAME_LEN];
} native_cond_info;

/* Returns as rt_cond_inquire(). Context: any. */
int rt_cond_inquire_native(RT_COND *cond, native_cond_info *info);

#ifdef __cplusplus
}
#endif

#define RT_COND_INFO    native_cond_info
#define rt_cond_inquire rt_cond_inquire_native

#endif
