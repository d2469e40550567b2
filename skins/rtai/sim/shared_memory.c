/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory with a name in virtual time: a program is alone. */
#include "shared_memory.h"

#include <errno.h>

int rtai_shared_open(const char *name, int *bytes)
{
	(void)name;
	return *bytes ? RTAI_NO_FILE : -ENOENT;
}

void rtai_shared_close(const char *name, int file)
{
	(void)name;
	(void)file;
}
