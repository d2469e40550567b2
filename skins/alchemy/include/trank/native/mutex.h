/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/mutex.h> had in Xenomai 2, and the figures that a mutex had there. */
#ifndef TRANK_NATIVE_MUTEX_H
#define TRANK_NATIVE_MUTEX_H

#include <alchemy/mutex.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rt_mutex_info {
	int locked;   /* how often its owner has acquired it; 0: it is free */
	int nwaiters; /* tasks that wait */
	char name[XNOBJECT_NAME_LEN];
	char owner[XNOBJECT_NAME_LEN]; /* name of the owner; empty: free, or main() owns it */
} native_mutex_info;

/* Returns as rt_mutex_inquire(). Context: task, linux. */
int rt_mutex_inquire_native(RT_MUTEX *mutex, native_mutex_info *info);

#ifdef __cplusplus
}
#endif

#define RT_MUTEX_INFO    native_mutex_info
#define rt_mutex_inquire rt_mutex_inquire_native

#endif
