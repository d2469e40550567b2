/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time, handlers, interrupts and the system of µITRON 3.02. */
#include "itron/core.h"

#define HANDLER_ID 32767

ER set_tim(SYSTIME *pk_tim)
{
	if (itron_bad(pk_tim) || *pk_tim < 0 || *pk_tim > ITRON_TIME_MAX_MS)
		return E_PAR;
	atomic_fetch_add(&itron_time_offset_ms, *pk_tim - itron_time_ms());
	return E_OK;
}

ER get_tim(SYSTIME *pk_tim)
{
	if (itron_bad(pk_tim))
		return E_PAR;
	*pk_tim = itron_time_ms();
	return E_OK;
}

ER dly_tsk(DLYTIME dlytim)
{
	return dlytim < 0 || dlytim > ITRON_TIME_MAX_MS ? E_PAR : itron_delay((uint64_t)dlytim);
}

/* Handlers have no IDs, but numbers. */
static ER of_handler(ER code)
{
	return code == E_ID ? E_PAR : code;
}

/* Delete a handler that is defined. */
static ER undefine(enum itron_type type, HNO number)
{
	return of_handler(itron_delete(type, number));
}

/* Define a handler, in place of one that may be there. */
static ER define(enum itron_type type, HNO number, ATR attributes, VP exinf,
		 const struct itron_handler_how *how)
{
	ER code = undefine(type, number);

	if (code && code != E_NOEXS)
		return code;
	return itron_create_as((struct itron_making){.type = type,
						     .attributes = attributes,
						     .exinf = (intptr_t)exinf,
						     .make = itron_handler_make,
						     .how = how},
			       number);
}

ER def_cyc(HNO cycno, T_DCYC *pk_dcyc)
{
	struct itron_handler_how how = {0};
	ER code;

	if (pk_dcyc == (T_DCYC *)NADR)
		return undefine(ITRON_CYCLIC, cycno);
	if (itron_bad(pk_dcyc) || cycno <= 0 || cycno > HANDLER_ID)
		return E_PAR;
	if (pk_dcyc->cycatr & ~TA_HLNG)
		return E_RSATR;
	if (itron_bad((const void *)(uintptr_t)pk_dcyc->cychdr) || pk_dcyc->cycact & ~TCY_ON ||
	    pk_dcyc->cyctim <= 0 || pk_dcyc->cyctim > ITRON_TIME_MAX_MS)
		return E_PAR;
	how.entry = pk_dcyc->cychdr;
	how.period_ns = (uint64_t)pk_dcyc->cyctim * ITRON_NS_MS;
	how.active = pk_dcyc->cycact & TCY_ON;
	code = define(ITRON_CYCLIC, cycno, pk_dcyc->cycatr, pk_dcyc->exinf, &how);
	return code ? code : itron_handler_start(ITRON_CYCLIC, cycno, how.period_ns);
}

ER act_cyc(HNO cycno, UINT cycact)
{
	struct itron_object *cyclic;
	ER code;

	if (cycact & ~(TCY_ON | TCY_INT))
		return E_PAR;
	code = of_handler(itron_find(ITRON_CYCLIC, cycno, &cyclic));
	if (code)
		return code;
	atomic_store(&cyclic->handler.active, cycact & TCY_ON);
	return cycact & TCY_INT
		       ? itron_handler_start(ITRON_CYCLIC, cycno, cyclic->handler.period_ns)
		       : E_OK;
}

ER ref_cyc(T_RCYC *pk_rcyc, HNO cycno)
{
	struct itron_state state;
	ER code = of_handler(itron_cyclic_inquire(pk_rcyc, cycno, &state));

	if (!code)
		*pk_rcyc = (T_RCYC){(VP)state.exinf, (CYCTIME)state.left_ms,
				    state.active ? TCY_ON : TCY_OFF};
	return code;
}

ER def_alm(HNO almno, T_DALM *pk_dalm)
{
	struct itron_handler_how how = {.once = true, .active = true};
	ALMTIME wait;
	ER code;

	if (pk_dalm == (T_DALM *)NADR)
		return undefine(ITRON_ALARM, almno);
	if (itron_bad(pk_dalm) || almno <= 0 || almno > HANDLER_ID)
		return E_PAR;
	if (pk_dalm->almatr & ~TA_HLNG)
		return E_RSATR;
	wait = pk_dalm->almtim - (pk_dalm->tmmode == TTM_ABS ? itron_time_ms() : 0);
	if (itron_bad((const void *)(uintptr_t)pk_dalm->almhdr) || pk_dalm->tmmode > TTM_REL ||
	    wait < 0 || wait > ITRON_TIME_MAX_MS)
		return E_PAR;
	how.entry = pk_dalm->almhdr;
	code = define(ITRON_ALARM, almno, pk_dalm->almatr, pk_dalm->exinf, &how);
	return code ? code : itron_handler_start(ITRON_ALARM, almno, (uint64_t)wait * ITRON_NS_MS);
}

ER ref_alm(T_RALM *pk_ralm, HNO almno)
{
	struct itron_state state;
	ER code = of_handler(itron_alarm_inquire(pk_ralm, almno, &state));

	if (!code)
		*pk_ralm = (T_RALM){(VP)state.exinf, (ALMTIME)state.left_ms};
	return code;
}

void ret_tmr(void)
{
	itron_return_from_handler();
}

void ret_int(void)
{
	itron_return_from_handler();
}

void ret_wup(ID tskid)
{
	(void)wup_tsk(tskid);
	itron_return_from_handler();
}

ER def_int(UINT dintno, T_DINT *pk_dint)
{
	FP entry;
	ER code = itron_defined(pk_dint, &entry);

	return code ? code : itron_define_interrupt(dintno, entry, (intptr_t)dintno);
}

ER def_svc(FN s_fncd, T_DSVC *pk_dsvc)
{
	FP entry;
	ER code = itron_defined(pk_dsvc, &entry);

	return code ? code : itron_define_svc(s_fncd, entry);
}

ER def_exc(UINT exckind, T_DEXC *pk_dexc)
{
	FP entry;
	ER code = itron_defined(pk_dexc, &entry);

	return code ? code : itron_define_exception(exckind, entry);
}

ER get_ver(T_VER *pk_ver)
{
	if (itron_bad(pk_ver))
		return E_PAR;
	*pk_ver = (T_VER){.spver = 0x5302, .prver = 0x0001};
	return E_OK;
}

ER ref_sys(T_RSYS *pk_rsys)
{
	const struct itron_object *self = itron_self();

	if (itron_bad(pk_rsys))
		return E_PAR;
	pk_rsys->runtskid = self ? self->id : 0;
	pk_rsys->sysstat = TSS_TSK;
	if (runtime_in_handler())
		pk_rsys->sysstat = TSS_INDP;
	else if (self && self->task.locked)
		pk_rsys->sysstat = self->task.locked & ITRON_CPU ? TSS_LOC : TSS_DDSP;
	return E_OK;
}

ER ref_cfg(T_RCFG *pk_rcfg)
{
	if (itron_bad(pk_rcfg))
		return E_PAR;
	*pk_rcfg = (T_RCFG){.maxid = HANDLER_ID, .maxtpri = TMAX_TPRI, .tick = 1000};
	return E_OK;
}
