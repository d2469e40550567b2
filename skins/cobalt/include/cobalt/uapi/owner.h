/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which program an object is of that programs share: the skin's own. */
#ifndef COBALT_UAPI_OWNER_H
#define COBALT_UAPI_OWNER_H

#include <stdint.h>

struct cobalt_owner {
	uint64_t process;
	uint32_t pid;
};

#endif
