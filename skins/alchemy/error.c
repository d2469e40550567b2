/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Error codes: the nucleus's are Linux's numbers already. Where Alchemy has another word for the
 * same cause it is in this table; a service with a word of its own says it before it comes here.
 */
#include "alchemy_internal.h"

_Static_assert(TACT_EINTR == EINTR && TACT_EIDRM == EIDRM && TACT_ETIMEDOUT == ETIMEDOUT &&
		       TACT_EAGAIN == EWOULDBLOCK && TACT_EPERM == EPERM && TACT_EEXIST == EEXIST &&
		       TACT_ENOMEM == ENOMEM && TACT_EINVAL == EINVAL && TACT_EBUSY == EBUSY &&
		       TACT_EDEADLK == EDEADLK && TACT_EOVERFLOW == EOVERFLOW &&
		       TACT_EOWNERDEAD == EOWNERDEAD,
	       "codes that pass through are the same numbers");

int alchemy_result(int result)
{
	static const struct {
		int from;
		int to;
	} table[] = {
		{-TACT_EBADF, -EINVAL},               /* the descriptor names nothing of the kind */
		{-TACT_ENXIO, -EINVAL},               /* no such CPU */
		{-TACT_EFAULT, -EINVAL},              /* a NULL where memory is needed */
		{-TACT_ENOTSUP, -EINVAL},             /* not in the mode it was created with */
		{-TACT_EMSGSIZE, -ENOBUFS},           /* does not fit */
		{-TACT_ESRCH, -ENXIO},                /* the other side of an exchange has gone */
		{-TACT_EPIPE, -EIDRM},                /* it ended without a reply */
		{-TACT_ENOTRECOVERABLE, -EOWNERDEAD}, /* Alchemy does not tell them apart */
	};

	if (result >= 0)
		return result;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (result == table[i].from)
			return table[i].to;
	return result;
}
