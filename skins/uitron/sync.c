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
	struct itron_state state;
	ER code = itron_sem_inquire(pk_rsem, semid, &state);

	if (!code)
		*pk_rsem = (T_RSEM){(VP)state.exinf, state.waiter, (INT)state.count};
	return code;
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
	struct itron_state state;
	ER code = itron_flag_inquire(pk_rflg, flgid, &state);

	if (!code)
		*pk_rflg = (T_RFLG){(VP)state.exinf, state.waiter, state.count};
	return code;
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
	void *message;
	ER code = itron_bad(ppk_msg) ? E_PAR : itron_mailbox_receive(mbxid, tmout, &message);

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
	struct itron_state state;
	ER code = itron_mailbox_inquire(pk_rmbx, mbxid, &state);

	if (!code)
		*pk_rmbx = (T_RMBX){(VP)state.exinf, state.waiter,
				    state.message ? state.message : (T_MSG *)NADR};
	return code;
}
