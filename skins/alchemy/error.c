/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Error codes. The nucleus already uses Linux's numbers. This table has the causes for which
 * Alchemy uses another code. A service with a code of its own converts it before it calls this.
 */
#include "alchemy_internal.h"

_Static_assert(TACT_EINTR == EINTR && TACT_EIDRM == EIDRM && TACT_ETIMEDOUT == ETIMEDOUT &&
		       TACT_EAGAIN == EWOULDBLOCK && TACT_EPERM == EPERM && TACT_EEXIST == EEXIST &&
		       TACT_ENOMEM == ENOMEM && TACT_EINVAL == EINVAL && TACT_EBUSY == EBUSY &&
		       TACT_EDEADLK == EDEADLK && TACT_EOVERFLOW == EOVERFLOW &&
		       TACT_EOWNERDEAD == EOWNERDEAD,
	       "codes that pass through are the same numbers");

const struct runtime_error alchemy_errors[] = {
	{-TACT_EBADF, -EINVAL},               /* the descriptor is not of such an object */
	{-TACT_ENXIO, -EINVAL},               /* no such CPU */
	{-TACT_EFAULT, -EINVAL},              /* NULL in place of memory */
	{-TACT_ENOTSUP, -EINVAL},             /* not possible in the mode of its creation */
	{-TACT_EMSGSIZE, -ENOBUFS},           /* does not fit */
	{-TACT_ESRCH, -ENXIO},                /* the other side of an exchange has gone */
	{-TACT_ECANCELED, -EINTR},            /* broken by a caller of the native API */
	{-TACT_EPIPE, -EIDRM},                /* the exchange ended without a reply */
	{-TACT_ENOTRECOVERABLE, -EOWNERDEAD}, /* one code for both in Alchemy */
	{0, 0},
};
