/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores and event flags of µITRON 4.0. */
#include "uitron4.h"

static ER create_sem(ID id, const T_CSEM *packet)
{
	struct itron_sem_how how;

	if (itron_bad(packet))
		return E_PAR;
	if (packet->sematr & ~TA_TPRI)
		return E_RSATR;
	if (!packet->maxsem || packet->maxsem > TMAX_MAXSEM || packet->isemcnt > packet->maxsem)
		return E_PAR;
	how.initial = packet->isemcnt;
	how.maximum = packet->maxsem;
	return itron_create(&(struct itron_making){.type = ITRON_SEM,
						   .id = id,
						   .attributes = packet->sematr,
						   .make = itron_sem_make,
						   .how = &how});
}

ER cre_sem(ID semid, const T_CSEM *pk_csem)
{
	return semid <= 0 ? E_ID : uitron4_ok(create_sem(semid, pk_csem));
}

ER_ID acre_sem(const T_CSEM *pk_csem)
{
	return create_sem(0, pk_csem);
}

ER isig_sem(ID semid)
{
	return sig_sem(semid);
}

ER pol_sem(ID semid)
{
	return twai_sem(semid, TMO_POL);
}

ER ref_sem(ID semid, T_RSEM *pk_rsem)
{
	struct itron_state state;
	ER code = itron_sem_inquire(pk_rsem, semid, &state);

	if (!code)
		*pk_rsem = (T_RSEM){state.waiter, state.count};
	return code;
}

static ER create_flg(ID id, const T_CFLG *packet)
{
	if (itron_bad(packet))
		return E_PAR;
	if (packet->flgatr & ~(TA_TPRI | TA_WMUL | TA_CLR))
		return E_RSATR;
	return itron_create(&(struct itron_making){.type = ITRON_FLAG,
						   .id = id,
						   .attributes = packet->flgatr,
						   .make = itron_flag_make,
						   .how = &packet->iflgptn});
}

ER cre_flg(ID flgid, const T_CFLG *pk_cflg)
{
	return flgid <= 0 ? E_ID : uitron4_ok(create_flg(flgid, pk_cflg));
}

ER_ID acre_flg(const T_CFLG *pk_cflg)
{
	return create_flg(0, pk_cflg);
}

ER iset_flg(ID flgid, FLGPTN setptn)
{
	return set_flg(flgid, setptn);
}

ER twai_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn, TMO tmout)
{
	struct itron_object *flag;
	uint32_t how = wfmode & TWF_ORW ? TACT_EVENT_ANY : TACT_EVENT_ALL;
	ER code;

	if (itron_bad(p_flgptn) || !waiptn || wfmode & ~TWF_ORW)
		return E_PAR;
	code = itron_find(ITRON_FLAG, flgid, &flag);
	if (code)
		return code;
	if (flag->attributes & TA_CLR)
		how |= TACT_EVENT_CLEAR_ALL;
	return itron_flag_wait(flgid, waiptn, how, tmout, p_flgptn);
}

ER wai_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn)
{
	return twai_flg(flgid, waiptn, wfmode, p_flgptn, TMO_FEVR);
}

ER pol_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn)
{
	return twai_flg(flgid, waiptn, wfmode, p_flgptn, TMO_POL);
}

ER ref_flg(ID flgid, T_RFLG *pk_rflg)
{
	struct itron_state state;
	ER code = itron_flag_inquire(pk_rflg, flgid, &state);

	if (!code)
		*pk_rflg = (T_RFLG){state.waiter, state.count};
	return code;
}
