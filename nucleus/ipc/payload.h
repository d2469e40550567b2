/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The contents of a call, as the caller gives them. */
#ifndef NUC_PAYLOAD_H
#define NUC_PAYLOAD_H

#include "call/call.h"

static inline int nuc_payload_set(struct nuc_payload_call *payload, const void *data, size_t bytes)
{
	if (bytes > UINT32_MAX)
		return -TACT_EMSGSIZE;
	if (bytes && !data)
		return -TACT_EFAULT;
	/* Not NULL, also if empty: C allows no arithmetic on NULL. */
	payload->data = data ? data : "";
	payload->bytes = (uint32_t)bytes;
	return 0;
}

#endif
