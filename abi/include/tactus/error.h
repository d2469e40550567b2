/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * Error codes. Every call of Tactus returns 0 or a positive value on success and the negative of
 * one of these codes on failure; errno is never touched. The numbers are Linux's, so that a program
 * may print them with strerror() and compare them with <errno.h>; the names are our own because the
 * nucleus is built without any Linux header.
 */
#ifndef TACTUS_ERROR_H
#define TACTUS_ERROR_H

enum tact_error {
	TACT_EPERM = 1,        /* the calling context may not make this call */
	TACT_ENOENT = 2,       /* no object of that name */
	TACT_ESRCH = 3,        /* no such task, or it has ended */
	TACT_EINTR = 4,        /* the wait was broken by tact_task_unblock() or a Linux signal */
	TACT_ENXIO = 6,        /* no such CPU */
	TACT_EAGAIN = 11,      /* it would have to wait, and the caller said it will not */
	TACT_ENOMEM = 12,      /* a pool is exhausted: raise the program's configuration */
	TACT_EFAULT = 14,      /* an argument points nowhere */
	TACT_EBUSY = 16,       /* the object is in use in a way that forbids this */
	TACT_EEXIST = 17,      /* the name is taken */
	TACT_ENODEV = 19,      /* this back end cannot do this; no such device */
	TACT_EINVAL = 22,      /* an argument is out of its documented range */
	TACT_ENOSPC = 28,      /* no room left in the object */
	TACT_EPIPE = 32,       /* the other end is gone */
	TACT_EDEADLK = 35,     /* the wait would close a circle of owners */
	TACT_ENOSYS = 38,      /* not offered by the running kernel or processor */
	TACT_EIDRM = 43,       /* the object was deleted, before the call or under the waiter */
	TACT_EPROTO = 71,      /* the other side broke the rules of the exchange */
	TACT_EOVERFLOW = 75,   /* a count would exceed its documented maximum */
	TACT_EBADF = 9,        /* the handle was never one of this type */
	TACT_EMSGSIZE = 90,    /* the message does not fit */
	TACT_ENOTSUP = 95,     /* a valid request that this object was not created for */
	TACT_ETIMEDOUT = 110,  /* the timeout passed first */
	TACT_ECANCELED = 125,  /* the operation was cancelled by its other side */
	TACT_EOWNERDEAD = 130, /* lock taken; its last owner died holding it */
	TACT_ENOTRECOVERABLE = 131, /* the state the lock protects was given up */
};

#endif
