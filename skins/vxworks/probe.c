/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Probing of memory: Linux copies, and says if nothing is mapped. */
#define _GNU_SOURCE
#include <vxLib.h>

#include <intLib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "vxworks_internal.h"

STATUS vxMemProbe(char *adrs, int mode, int length, char *pVal)
{
	struct iovec there = {adrs, (size_t)length};
	struct iovec here = {pVal, (size_t)length};
	ssize_t done;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if ((length != 1 && length != 2 && length != 4 && length != 8) || !pVal ||
	    (mode != VX_READ && mode != VX_WRITE))
		return vxworks_fail(EINVAL);
	if (mode == VX_READ)
		done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	else
		done = process_vm_writev(getpid(), &here, 1, &there, 1, 0);
	return done == length ? OK : vxworks_fail(EFAULT);
}
