/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Casts: see cast.h. */
#include "call/cast.h"

#include "base/string.h"
#include "call/call_types.h"
#include "kernel/delivery.h"

#define CASTS 32

struct cast {
	struct base_list link;
	struct nuc_cpu *from;
	_Alignas(16) char call[NUC_CAST_BYTES];
	char payload[TACT_HANDLER_BYTES];
};

int nuc_cast_init_cpu(struct nuc_cpu *cpu)
{
	struct cast *casts = nuc_pool_get(cpu, CASTS * sizeof(*casts));

	base_list_init(&cpu->casts);
	if (!casts)
		return -TACT_ENOMEM;
	for (int i = 0; i < CASTS; i++) {
		casts[i].from = cpu;
		base_list_push_back(&casts[i].link, &cpu->casts);
	}
	return 0;
}

static void cast_done(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, message);
	struct cast *cast =
		base_container_of((char(*)[NUC_CAST_BYTES])(void *)call, struct cast, call);

	base_list_push_back(&cast->link, &cpu->casts);
}

void nuc_cast_complete(struct nuc_call *call)
{
	struct cast *cast =
		base_container_of((char(*)[NUC_CAST_BYTES])(void *)call, struct cast, call);

	call->message.deliver = cast_done;
	nuc_message_send(cast->from, &call->message);
}

int nuc_cast_make(struct nuc_cpu *cpu, const struct nuc_call *call, struct nuc_call **copy)
{
	const struct nuc_payload_call *payload = NULL;
	struct base_list *link;
	struct cast *cast;

	if (call->flags & NUC_CALL_PAYLOAD) {
		payload = base_container_of(call, struct nuc_payload_call, call);
		if (payload->bytes > TACT_HANDLER_BYTES)
			return -TACT_EMSGSIZE;
	}
	link = base_list_pop_front(&cpu->casts);
	if (!link)
		return -TACT_ENOMEM;
	nuc_assert(call->bytes <= NUC_CAST_BYTES);
	cast = base_container_of(link, struct cast, link);
	base_copy(cast->call, call, call->bytes);
	if (payload) {
		base_copy(cast->payload, payload->data, payload->bytes);
		((struct nuc_payload_call *)(void *)cast->call)->data = cast->payload;
	}
	*copy = (struct nuc_call *)(void *)cast->call;
	(*copy)->is_cast = 1;
	(*copy)->task = NULL;
	(*copy)->origin = NULL;
	return 0;
}
