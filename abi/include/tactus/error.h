/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * Error codes. Every call of Tactus returns 0 or a positive value on success and the negative of
 * one of these codes on failure; errno is never touched. A code has one cause, whatever the object:
 * docs/spec/errors.md lists the causes, and the codes of each function. The numbers are Linux's, so
 * that a program may print them with strerror() and compare them with <errno.h>; the names are our
 * own because the nucleus is built without any Linux header.
 */
#ifndef TACTUS_ERROR_H
#define TACTUS_ERROR_H

enum tact_error {
	TACT_EPERM = 1,             /* not allowed */
	TACT_ESRCH = 3,             /* nothing to act on */
	TACT_EINTR = 4,             /* interrupted */
	TACT_ENXIO = 6,             /* no such CPU */
	TACT_EBADF = 9,             /* not a handle */
	TACT_EAGAIN = 11,           /* would block */
	TACT_ENOMEM = 12,           /* no resources */
	TACT_EFAULT = 14,           /* bad memory */
	TACT_EBUSY = 16,            /* in use */
	TACT_EEXIST = 17,           /* taken */
	TACT_ENODEV = 19,           /* no such device */
	TACT_EINVAL = 22,           /* bad argument */
	TACT_ENOSPC = 28,           /* full */
	TACT_EPIPE = 32,            /* the other side has gone */
	TACT_EDEADLK = 35,          /* deadlock */
	TACT_ENOSYS = 38,           /* not offered by the machine */
	TACT_EIDRM = 43,            /* deleted */
	TACT_EPROTO = 71,           /* broken by the other side */
	TACT_EOVERFLOW = 75,        /* counter at its limit */
	TACT_EMSGSIZE = 90,         /* does not fit */
	TACT_ENOTSUP = 95,          /* not supported */
	TACT_ETIMEDOUT = 110,       /* timed out */
	TACT_ESTALE = 116,          /* changed meanwhile */
	TACT_ECANCELED = 125,       /* broken by a caller */
	TACT_EOWNERDEAD = 130,      /* the owner has ended */
	TACT_ENOTRECOVERABLE = 131, /* lost */
};

/* Largest error number: codes of programs and skins are -TACT_ERROR_MAX … -1. */
#define TACT_ERROR_MAX 4095

#endif
