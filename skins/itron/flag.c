/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event flags. */
#include "core.h"

int itron_flag_make(struct itron_object *object, const char *key, const void *how,
		    tact_object_t *native)
{
	const uint32_t *initial = how;
	tact_event_t made = {0};
	int error =
		tact_event_create(key, *initial,
				  itron_order(object->attributes) |
					  (object->attributes & TA_WMUL ? 0 : TACT_EVENT_SINGLE),
				  &made);

	*native = tact_object(made);
	return error;
}

ER del_flg(ID flgid)
{
	return itron_delete(ITRON_FLAG, flgid);
}

ER set_flg(ID flgid, UINT setptn)
{
	struct itron_object *flag;
	ER code = itron_find(ITRON_FLAG, flgid, &flag);

	return code ? code : itron_done(tact_event_set(itron_event(flag), setptn));
}

ER clr_flg(ID flgid, UINT clrptn)
{
	struct itron_object *flag;
	ER code = itron_find(ITRON_FLAG, flgid, &flag);

	return code ? code : itron_result(tact_event_clear(itron_event(flag), ~clrptn, NULL));
}

ER itron_flag_wait(ID id, uint32_t bits, uint32_t how, TMO tmout, uint32_t *received)
{
	struct itron_object *flag;
	tact_timeout_t timeout;
	uint64_t there = 0;
	ER code = itron_find(ITRON_FLAG, id, &flag);
	int error = -TACT_EPERM;

	if (!code && tmout == TMO_FEVR && itron_waits_as_usual())
		error = tact_event_wait(itron_event(flag), bits, how, RUNTIME_FOREVER, &there);
	if (!code && error == -TACT_EPERM) {
		code = itron_wait(tmout, TTW_FLG, id, &timeout);
		if (!code)
			error = tact_event_wait(itron_event(flag), bits, how, timeout, &there);
		itron_wait_over();
	}
	if (code)
		return code;
	if (error)
		return error == -TACT_EBUSY ? ITRON_SECOND_WAITER : itron_waited(error, tmout);
	*received = (uint32_t)there;
	return E_OK;
}

ER itron_flag_inquire(const void *packet, ID id, struct itron_state *state)
{
	struct tact_event_info info = {.size = sizeof(info)};
	struct itron_object *flag;
	ER code = itron_inquire(packet, ITRON_FLAG, id, state, &flag);

	if (!code)
		code = itron_result(tact_event_inquire(itron_event(flag), &info));
	if (code)
		return code;
	state->waiter = itron_next_served(flag);
	state->count = (uint32_t)info.bits;
	return E_OK;
}
