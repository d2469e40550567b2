/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program that owns an object which programs share. Only the skin uses it. */
#ifndef COBALT_UAPI_OWNER_H
#define COBALT_UAPI_OWNER_H

#include <stdint.h>

struct cobalt_owner {
	uint64_t process;
	uint32_t pid;
};

#endif
