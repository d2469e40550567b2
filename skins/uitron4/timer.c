/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The system clock, cyclic and alarm handlers of µITRON 4.0. */
#include "uitron4.h"

ER set_tim(const SYSTIM *p_systim)
{
	if (itron_bad(p_systim) || *p_systim > (SYSTIM)ITRON_TIME_MAX_MS)
		return E_PAR;
	if (itron_cpu_locked())
		return E_CTX;
	atomic_fetch_add(&itron_time_offset_ms, (int64_t)*p_systim - itron_time_ms());
	return E_OK;
}

ER get_tim(SYSTIM *p_systim)
{
	if (itron_bad(p_systim))
		return E_PAR;
	if (itron_cpu_locked())
		return E_CTX;
	*p_systim = (SYSTIM)itron_time_ms();
	return E_OK;
}

ER isig_tim(void)
{
	return E_NOSPT;
}

static ER create_cyc(ID id, const T_CCYC *packet)
{
	struct itron_handler_how how = {0};
	ER result;

	if (itron_bad(packet) || itron_bad((const void *)(uintptr_t)packet->cychdr) ||
	    !packet->cyctim)
		return E_PAR;
	if (packet->cycatr & ~(TA_ASM | TA_STA | TA_PHS))
		return E_RSATR;
	how.entry = packet->cychdr;
	how.period_ns = packet->cyctim * ITRON_NS_MS;
	how.active = packet->cycatr & TA_STA;
	result = itron_create(&(struct itron_making){.type = ITRON_CYCLIC,
						     .id = id,
						     .attributes = packet->cycatr,
						     .exinf = packet->exinf,
						     .make = itron_handler_make,
						     .how = &how});
	/* With TA_PHS the phase counts from here on, also while the handler does not run. */
	if (result > 0 && packet->cycatr & (TA_STA | TA_PHS))
		(void)itron_handler_start(ITRON_CYCLIC, result, packet->cycphs * ITRON_NS_MS);
	return result;
}

ER cre_cyc(ID cycid, const T_CCYC *pk_ccyc)
{
	return cycid <= 0 ? E_ID : uitron4_ok(create_cyc(cycid, pk_ccyc));
}

ER_ID acre_cyc(const T_CCYC *pk_ccyc)
{
	return create_cyc(0, pk_ccyc);
}

ER del_cyc(ID cycid)
{
	return itron_delete(ITRON_CYCLIC, cycid);
}

ER sta_cyc(ID cycid)
{
	struct itron_object *cyclic;
	ER code = itron_find(ITRON_CYCLIC, cycid, &cyclic);

	if (code)
		return code;
	atomic_store(&cyclic->handler.active, true);
	return cyclic->attributes & TA_PHS
		       ? E_OK
		       : itron_handler_start(ITRON_CYCLIC, cycid, cyclic->handler.period_ns);
}

/* A handler that does not run; the timer of one with TA_PHS goes on. */
static ER stop(enum itron_type type, ID id)
{
	struct itron_object *handler;
	ER code = itron_find(type, id, &handler);

	if (code)
		return code;
	atomic_store(&handler->handler.active, false);
	return handler->attributes & TA_PHS ? E_OK
					    : itron_result(tact_timer_stop(itron_timer(handler)));
}

ER stp_cyc(ID cycid)
{
	return stop(ITRON_CYCLIC, cycid);
}

ER ref_cyc(ID cycid, T_RCYC *pk_rcyc)
{
	struct itron_state state;
	ER code = itron_cyclic_inquire(pk_rcyc, cycid, &state);

	if (!code)
		*pk_rcyc = (T_RCYC){state.active ? TCYC_STA : TCYC_STP, (RELTIM)state.left_ms};
	return code;
}

static ER create_alm(ID id, const T_CALM *packet)
{
	struct itron_handler_how how = {0};

	if (itron_bad(packet) || itron_bad((const void *)(uintptr_t)packet->almhdr))
		return E_PAR;
	if (packet->almatr & ~TA_ASM)
		return E_RSATR;
	how.entry = packet->almhdr;
	return itron_create(&(struct itron_making){.type = ITRON_ALARM,
						   .id = id,
						   .attributes = packet->almatr,
						   .exinf = packet->exinf,
						   .make = itron_handler_make,
						   .how = &how});
}

ER cre_alm(ID almid, const T_CALM *pk_calm)
{
	return almid <= 0 ? E_ID : uitron4_ok(create_alm(almid, pk_calm));
}

ER_ID acre_alm(const T_CALM *pk_calm)
{
	return create_alm(0, pk_calm);
}

ER del_alm(ID almid)
{
	return itron_delete(ITRON_ALARM, almid);
}

ER sta_alm(ID almid, RELTIM almtim)
{
	struct itron_object *alarm;
	ER code = itron_find(ITRON_ALARM, almid, &alarm);

	if (code)
		return code;
	atomic_store(&alarm->handler.active, true);
	return itron_handler_start(ITRON_ALARM, almid, almtim * ITRON_NS_MS);
}

ER stp_alm(ID almid)
{
	return stop(ITRON_ALARM, almid);
}

ER ref_alm(ID almid, T_RALM *pk_ralm)
{
	struct itron_state state;
	ER code = itron_alarm_inquire(pk_ralm, almid, &state);

	if (!code)
		*pk_ralm = (T_RALM){state.active ? TALM_STA : TALM_STP, (RELTIM)state.left_ms};
	return code;
}
