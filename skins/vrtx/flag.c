/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event flags: groups of 32 bits, of which no wait clears one. */
#include "vrtx_internal.h"

static tact_event_t native_of(const struct vrtx_object *group)
{
	return (tact_event_t){runtime_native(&group->record).id};
}

static const struct vrtx_object *find(int fid, int *errp)
{
	const struct vrtx_object *group = vrtx_find(fid, VRTX_FLAG);

	if (!group)
		vrtx_tell(errp, ER_ID);
	return group;
}

/* Without a name: a wait at an object that has one takes longer. */
static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	tact_event_t made = {0};
	int error = tact_event_create(NULL, 0, TACT_PRIO, &made);

	(void)key;
	(void)record;
	(void)how;
	*native = tact_object(made);
	return error;
}

int sc_fcreate(int *errp)
{
	int id = vrtx_create(VRTX_FLAG, NULL, make, NULL, ER_NOCB, errp);

	return id ? id : -1;
}

void sc_fdelete(int fid, int opt, int *errp)
{
	struct tact_event_info info = {.size = sizeof(info)};
	const struct vrtx_object *group = find(fid, errp);
	int error;

	if (!group)
		return;
	(void)tact_event_inquire(native_of(group), &info);
	error = vrtx_may_delete(opt, info.waiters != 0);
	if (!error)
		error = vrtx_code_now(runtime_delete(&vrtx_objects, (uint32_t)fid, VRTX_FLAG),
				      ER_ID);
	vrtx_tell(errp, error);
}

/* The bits are set in any case. */
void sc_fpost(int fid, int mask, int *errp)
{
	const struct vrtx_object *group = find(fid, errp);
	uint64_t before = 0;
	int error;

	if (!group)
		return;
	error = vrtx_code_now(tact_event_change(native_of(group), (uint32_t)mask, 0, &before),
			      ER_ID);
	vrtx_tell(errp, !error && before & (uint32_t)mask ? ER_OVF : error);
}

int sc_fpend(int fid, long timeout, int mask, int opt, int *errp)
{
	const struct vrtx_object *group = find(fid, errp);
	const uint32_t how = opt ? TACT_EVENT_ALL : TACT_EVENT_ANY;
	uint64_t bits = 0;

	if (!group)
		return 0;
	if (!mask || opt & ~1)
		vrtx_tell(errp, ER_IIP);
	else
		vrtx_tell(errp, VRTX_WAIT(timeout, tact_event_wait(native_of(group), (uint32_t)mask,
								   how, until, &bits)));
	return (int)bits;
}

int sc_fclear(int fid, int mask, int *errp)
{
	const struct vrtx_object *group = find(fid, errp);
	uint64_t before = 0;

	if (group)
		vrtx_tell(errp,
			  vrtx_code_now(tact_event_clear(native_of(group), (uint32_t)mask, &before),
					ER_ID));
	return (int)before;
}

int sc_finquiry(int fid, int *errp)
{
	struct tact_event_info info = {.size = sizeof(info)};
	const struct vrtx_object *group = find(fid, errp);

	if (group)
		vrtx_tell(errp, vrtx_code_now(tact_event_inquire(native_of(group), &info), ER_ID));
	return (int)info.bits;
}
