/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores. */
#include "psos_internal.h"

#include "psos_errors.h"

struct how {
	unsigned long tokens;
	unsigned long flags;
};

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *wanted = how;
	tact_sem_t made = {0};
	int error =
		wanted->tokens > TACT_SEM_VALUE_MAX
			? -TACT_ENOMEM
			: tact_sem_create(key, (uint32_t)wanted->tokens, TACT_SEM_VALUE_MAX,
					  wanted->flags & SM_PRIOR ? TACT_PRIO : TACT_FIFO, &made);

	(void)record;
	*native = tact_object(made);
	return error;
}

static const struct psos_kind kind = {PSOS_SEMAPHORE, make, psos_sm_create_errors};

unsigned long sm_create(const char *name, unsigned long count, unsigned long flags,
			unsigned long *smid)
{
	const struct how how = {count, flags};
	unsigned long code = psos_begin();

	if (code || flags & ~(unsigned long)(SM_GLOBAL | SM_PRIOR))
		return ERR_SSFN;
	return psos_create(&kind, name, &how, smid);
}

unsigned long sm_delete(unsigned long smid)
{
	struct tact_sem_info info = {0};
	struct runtime_record *record;

	if (runtime_in_handler())
		return ERR_SSFN;
	record = psos_take(smid, PSOS_SEMAPHORE);
	if (!record)
		return psos_id_error(smid);
	(void)tact_sem_inquire(psos_sem(record), &info);
	psos_drop(record);
	return info.waiters ? ERR_TATSDEL : 0;
}

unsigned long sm_ident(const char *name, unsigned long node, unsigned long *smid)
{
	return psos_ident(PSOS_SEMAPHORE, name, node, smid);
}

/* All cases but the usual one, apart, so that the usual one saves few registers. */
__attribute__((noinline)) static unsigned long take(unsigned long smid, unsigned long flags,
						    unsigned long timeout)
{
	const struct runtime_record *record = psos_find(smid, PSOS_SEMAPHORE);
	struct psos_wait wait = psos_wait(flags, timeout);
	int result;

	if (!record)
		return psos_id_error(smid);
	if (flags & ~(unsigned long)SM_NOWAIT)
		return ERR_SSFN;
	do
		result = tact_sem_wait(psos_sem(record), wait.timeout);
	while (psos_again(result, &wait));
	return psos_waited(psos_sm_p_errors, result, wait);
}

unsigned long sm_p(unsigned long smid, unsigned long flags, unsigned long timeout)
{
	const struct runtime_record *record = psos_find(smid, PSOS_SEMAPHORE);
	int result;

	if (!record || flags || timeout)
		return take(smid, flags, timeout);
	result = tact_sem_wait(psos_sem(record), TACT_FOREVER);
	if (__builtin_expect(result >= 0, 1))
		return 0;
	return psos_was_broken(result) || result == -TACT_EPERM
		       ? take(smid, SM_WAIT, 0)
		       : psos_result(psos_sm_p_errors, result);
}

unsigned long sm_v(unsigned long smid)
{
	const struct runtime_record *record = psos_find(smid, PSOS_SEMAPHORE);

	return record ? psos_result(psos_sm_v_errors, tact_sem_post(psos_sem(record)))
		      : psos_id_error(smid);
}

unsigned long sm_av(unsigned long smid)
{
	(void)smid;
	return ERR_SSFN;
}
