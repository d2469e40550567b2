/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores, event flags and mailboxes of µITRON 3.02. */
#include "itron/core.h"

#include <stdlib.h>

#define RING_DEFAULT 64
#define RING_MAX     0x100000

ER cre_sem(ID semid, T_CSEM *pk_csem)
{
	struct itron_sem_how how;

	if (itron_bad(pk_csem))
		return E_PAR;
	if (pk_csem->sematr & ~TA_TPRI)
		return E_RSATR;
	how.initial = (uint32_t)pk_csem->isemcnt;
	how.maximum = pk_csem->maxsem ? (uint32_t)pk_csem->maxsem : TACT_SEM_VALUE_MAX;
	if (pk_csem->isemcnt < 0 || pk_csem->maxsem < 0 || how.initial > how.maximum)
		return E_PAR;
	return itron_create_as((struct itron_making){.type = ITRON_SEM,
						     .attributes = pk_csem->sematr,
						     .exinf = (intptr_t)pk_csem->exinf,
						     .make = itron_sem_make,
						     .how = &how},
			       semid);
}

ER preq_sem(ID semid)
{
	return twai_sem(semid, TMO_POL);
}

ER ref_sem(T_RSEM *pk_rsem, ID semid)
{
	struct tact_sem_info info = {.size = sizeof(info)};
	struct itron_object *sem;
	ER code;

	if (itron_bad(pk_rsem))
		return E_PAR;
	code = itron_find(ITRON_SEM, semid, &sem);
	if (!code)
		code = itron_result(tact_sem_inquire(itron_sem(sem), &info));
	if (code)
		return code;
	pk_rsem->exinf = (VP)sem->exinf;
	pk_rsem->wtsk = itron_first_waiter(TTW_SEM, semid, sem->attributes);
	pk_rsem->semcnt = (INT)info.value;
	return E_OK;
}

ER cre_flg(ID flgid, T_CFLG *pk_cflg)
{
	if (itron_bad(pk_cflg))
		return E_PAR;
	if (pk_cflg->flgatr & ~(TA_TPRI | TA_WMUL))
		return E_RSATR;
	return itron_create_as((struct itron_making){.type = ITRON_FLAG,
						     .attributes = pk_cflg->flgatr,
						     .exinf = (intptr_t)pk_cflg->exinf,
						     .make = itron_flag_make,
						     .how = &pk_cflg->iflgptn},
			       flgid);
}

ER twai_flg(UINT *p_flgptn, ID flgid, UINT waiptn, UINT wfmode, TMO tmout)
{
	const uint32_t how = (wfmode & TWF_ORW ? TACT_EVENT_ANY : TACT_EVENT_ALL) |
			     (wfmode & TWF_CLR ? TACT_EVENT_CLEAR_ALL : 0);

	if (itron_bad(p_flgptn) || !waiptn || wfmode & ~(TWF_ORW | TWF_CLR))
		return E_PAR;
	return itron_flag_wait(flgid, waiptn, how, tmout, p_flgptn);
}

ER wai_flg(UINT *p_flgptn, ID flgid, UINT waiptn, UINT wfmode)
{
	return twai_flg(p_flgptn, flgid, waiptn, wfmode, TMO_FEVR);
}

ER pol_flg(UINT *p_flgptn, ID flgid, UINT waiptn, UINT wfmode)
{
	return twai_flg(p_flgptn, flgid, waiptn, wfmode, TMO_POL);
}

ER ref_flg(T_RFLG *pk_rflg, ID flgid)
{
	struct tact_event_info info = {.size = sizeof(info)};
	struct itron_object *flag;
	ER code;

	if (itron_bad(pk_rflg))
		return E_PAR;
	code = itron_find(ITRON_FLAG, flgid, &flag);
	if (!code)
		code = itron_result(tact_event_inquire(itron_event(flag), &info));
	if (code)
		return code;
	pk_rflg->exinf = (VP)flag->exinf;
	pk_rflg->wtsk = itron_first_waiter(TTW_FLG, flgid, flag->attributes);
	pk_rflg->flgptn = (UINT)info.bits;
	return E_OK;
}

static void free_ring(struct runtime_record *record)
{
	free(((struct itron_object *)record)->mailbox.more.ring);
}

static int make_ring(struct itron_object *object, const char *key, const void *how,
		     tact_object_t *native)
{
	const INT *count = how;
	struct itron_message *ring = calloc((size_t)*count, sizeof(*ring));
	int error;

	if (!ring)
		return -TACT_ENOMEM;
	for (INT i = 0; i + 1 < *count; i++)
		ring[i].next = &ring[i + 1];
	object->mailbox.more.ring = ring;
	object->mailbox.more.spare = ring;
	error = itron_mailbox_make(object, key, NULL, native);
	if (error)
		free(ring);
	else
		object->record.give_back = free_ring;
	return error;
}

ER cre_mbx(ID mbxid, T_CMBX *pk_cmbx)
{
	INT count;

	if (itron_bad(pk_cmbx) || pk_cmbx->bufcnt < 0 || pk_cmbx->bufcnt > RING_MAX)
		return E_PAR;
	if (pk_cmbx->mbxatr & ~(TA_TPRI | TA_MPRI))
		return E_RSATR;
	count = pk_cmbx->bufcnt ? pk_cmbx->bufcnt : RING_DEFAULT;
	return itron_create_as((struct itron_making){.type = ITRON_MAILBOX,
						     .attributes = pk_cmbx->mbxatr,
						     .exinf = (intptr_t)pk_cmbx->exinf,
						     .make = make_ring,
						     .how = &count},
			       mbxid);
}

static struct itron_message *take_spare(struct itron_mailbox_more *more)
{
	struct itron_key key = itron_lock();
	struct itron_message *spare = more->spare;

	if (spare)
		more->spare = spare->next;
	itron_unlock(key);
	return spare;
}

void *itron_node_take(struct itron_object *box, struct itron_node *node)
{
	struct itron_mailbox_more *more = &box->mailbox.more;
	struct itron_message *message = (struct itron_message *)node;
	struct itron_key key = itron_lock();

	message->next = more->spare;
	more->spare = message;
	itron_unlock(key);
	return message->message;
}

ER snd_msg(ID mbxid, T_MSG *pk_msg)
{
	struct itron_message *message;
	struct itron_object *box;
	ER code;

	if (itron_bad(pk_msg))
		return E_PAR;
	code = itron_find(ITRON_MAILBOX, mbxid, &box);
	if (!code && box->attributes & TA_MPRI && pk_msg->msgpri <= 0)
		code = E_PAR;
	if (code)
		return code;
	message = take_spare(&box->mailbox.more);
	if (!message)
		return E_QOVR;
	message->message = pk_msg;
	message->priority = box->attributes & TA_MPRI ? pk_msg->msgpri : 0;
	code = itron_mailbox_send(box, (struct itron_node *)message);
	if (code)
		(void)itron_node_take(box, (struct itron_node *)message);
	return code;
}

ER trcv_msg(T_MSG **ppk_msg, ID mbxid, TMO tmout)
{
	struct itron_object *box;
	void *message;
	ER code;

	if (itron_bad(ppk_msg))
		return E_PAR;
	code = itron_find(ITRON_MAILBOX, mbxid, &box);
	if (!code)
		code = itron_mailbox_receive(box, tmout, &message);
	if (!code)
		*ppk_msg = message;
	return code;
}

ER rcv_msg(T_MSG **ppk_msg, ID mbxid)
{
	return trcv_msg(ppk_msg, mbxid, TMO_FEVR);
}

ER prcv_msg(T_MSG **ppk_msg, ID mbxid)
{
	return trcv_msg(ppk_msg, mbxid, TMO_POL);
}

ER ref_mbx(T_RMBX *pk_rmbx, ID mbxid)
{
	const struct itron_message *first;
	struct itron_object *box;
	struct itron_key key;
	ER code;

	if (itron_bad(pk_rmbx))
		return E_PAR;
	code = itron_find(ITRON_MAILBOX, mbxid, &box);
	if (code)
		return code;
	pk_rmbx->exinf = (VP)box->exinf;
	pk_rmbx->wtsk = itron_first_waiter(TTW_MBX, mbxid, box->attributes);
	key = itron_lock();
	first = (const struct itron_message *)box->mailbox.first;
	pk_rmbx->pk_msg = first ? first->message : (T_MSG *)NADR;
	itron_unlock(key);
	return E_OK;
}
