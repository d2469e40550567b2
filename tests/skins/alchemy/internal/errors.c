/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every code of the nucleus has its word in Alchemy. */
#include "test.h"

#include "alchemy_internal.h"

TEST_UNSTARTED(every_code_is_translated)
{
	static const int table[][2] = {
		{TACT_EPERM, EPERM},           {TACT_ESTALE, ESTALE},
		{TACT_ESRCH, ENXIO},           {TACT_EINTR, EINTR},
		{TACT_ENXIO, EINVAL},          {TACT_EAGAIN, EWOULDBLOCK},
		{TACT_ENOMEM, ENOMEM},         {TACT_EFAULT, EINVAL},
		{TACT_EBUSY, EBUSY},           {TACT_EEXIST, EEXIST},
		{TACT_ENODEV, ENODEV},         {TACT_EINVAL, EINVAL},
		{TACT_ENOSPC, ENOSPC},         {TACT_EPIPE, EIDRM},
		{TACT_EDEADLK, EDEADLK},       {TACT_ENOSYS, ENOSYS},
		{TACT_EIDRM, EIDRM},           {TACT_EPROTO, EPROTO},
		{TACT_EOVERFLOW, EOVERFLOW},   {TACT_EBADF, EINVAL},
		{TACT_EMSGSIZE, ENOBUFS},      {TACT_ENOTSUP, EINVAL},
		{TACT_ETIMEDOUT, ETIMEDOUT},   {TACT_ECANCELED, EINTR},
		{TACT_EOWNERDEAD, EOWNERDEAD}, {TACT_ENOTRECOVERABLE, EOWNERDEAD},
	};

	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		expect_error(alchemy_result(-table[i][0]), table[i][1]);
	expect_eq(alchemy_result(0), 0);
	expect_eq(alchemy_result(7), 7);
}
