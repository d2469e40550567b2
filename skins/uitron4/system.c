/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The system, interrupts and definitions of µITRON 4.0. */
#include "uitron4.h"

#define ID_MAX 32767

ER irot_rdq(PRI tskpri)
{
	return rot_rdq(tskpri);
}

ER iget_tid(ID *p_tskid)
{
	return get_tid(p_tskid);
}

ER iloc_cpu(void)
{
	return loc_cpu();
}

ER iunl_cpu(void)
{
	return unl_cpu();
}

BOOL sns_ctx(void)
{
	return runtime_in_handler() ? TRUE : FALSE;
}

BOOL sns_loc(void)
{
	return itron_cpu_locked() ? TRUE : FALSE;
}

BOOL sns_dsp(void)
{
	const struct itron_object *self = itron_self();

	return self && self->task.locked & ITRON_DISPATCH ? TRUE : FALSE;
}

BOOL sns_dpn(void)
{
	return sns_ctx() || sns_loc() || sns_dsp() ? TRUE : FALSE;
}

ER ref_sys(T_RSYS *pk_rsys)
{
	const struct itron_object *self = itron_self();

	if (itron_bad(pk_rsys))
		return E_PAR;
	if (itron_cpu_locked())
		return E_CTX;
	*pk_rsys = (T_RSYS){self ? self->id : TSK_NONE, sns_ctx(), sns_loc(), sns_dsp()};
	return E_OK;
}

/* The routines of each interrupt, in the order of their creation. */
static struct itron_object *routines[ITRON_INTERRUPTS];
/* Handlers of def_inh(), which exclude routines. */
static bool handled[ITRON_INTERRUPTS];

static void run_routines(INTNO intno)
{
	const struct itron_object *routine = routines[intno];

	while (routine) {
		/* The routine may not delete itself, as handlers delete nothing. */
		itron_call_handler(routine->handler.entry, routine->exinf);
		routine = routine->handler.next;
	}
}

ER def_inh(INHNO inhno, const T_DINH *pk_dinh)
{
	FP entry;
	ER code = inhno < ITRON_INTERRUPTS ? itron_defined(pk_dinh, &entry) : E_PAR;

	if (code)
		return code;
	if (routines[inhno])
		return E_OBJ;
	code = itron_define_interrupt(inhno, entry, (intptr_t)inhno);
	if (!code)
		handled[inhno] = entry;
	return code;
}

static int make_routine(struct itron_object *object, const char *key, const void *how,
			tact_object_t *native)
{
	const T_CISR *packet = how;

	(void)key;
	object->handler.entry = packet->isr;
	object->handler.interrupt = packet->intno;
	*native = TACT_NONE;
	return 0;
}

/* The interrupt calls its routines as long as there are any. */
static ER link_routine(struct itron_object *routine)
{
	const INTNO intno = routine->handler.interrupt;
	struct itron_object **place = &routines[intno];
	struct itron_key key;
	ER code = itron_define_interrupt(intno, (FP)(void (*)(void))run_routines, (intptr_t)intno);

	if (code)
		return code;
	key = itron_lock();
	while (*place)
		place = &(*place)->handler.next;
	*place = routine;
	itron_unlock(key);
	return E_OK;
}

static void unlink_routine(struct itron_object *routine)
{
	struct itron_object **place = &routines[routine->handler.interrupt];
	struct itron_key key = itron_lock();

	while (*place && *place != routine)
		place = &(*place)->handler.next;
	if (*place)
		*place = routine->handler.next;
	itron_unlock(key);
	if (!routines[routine->handler.interrupt])
		(void)itron_define_interrupt(routine->handler.interrupt, NULL, 0);
}

static ER create_isr(ID id, const T_CISR *packet)
{
	struct itron_object *routine;
	ER result;

	if (itron_bad(packet) || itron_bad((const void *)(uintptr_t)packet->isr) ||
	    packet->intno >= ITRON_INTERRUPTS)
		return E_PAR;
	if (packet->isratr & ~TA_ASM)
		return E_RSATR;
	if (handled[packet->intno])
		return E_OBJ;
	result = itron_create(&(struct itron_making){.type = ITRON_ROUTINE,
						     .id = id,
						     .attributes = packet->isratr,
						     .exinf = packet->exinf,
						     .make = make_routine,
						     .how = packet});
	if (result > 0 && !itron_find(ITRON_ROUTINE, result, &routine) && link_routine(routine)) {
		(void)itron_delete(ITRON_ROUTINE, result);
		return E_NOMEM;
	}
	return result;
}

ER cre_isr(ID isrid, const T_CISR *pk_cisr)
{
	return isrid <= 0 ? E_ID : uitron4_ok(create_isr(isrid, pk_cisr));
}

ER_ID acre_isr(const T_CISR *pk_cisr)
{
	return create_isr(0, pk_cisr);
}

ER del_isr(ID isrid)
{
	struct itron_object *routine;
	ER code = itron_find_to_change(ITRON_ROUTINE, isrid, &routine);

	if (code)
		return code;
	unlink_routine(routine);
	return itron_delete(ITRON_ROUTINE, isrid);
}

ER ref_isr(ID isrid, T_RISR *pk_risr)
{
	struct itron_object *routine;
	ER code;

	if (itron_bad(pk_risr))
		return E_PAR;
	code = itron_find(ITRON_ROUTINE, isrid, &routine);
	if (!code)
		pk_risr->intno = routine->handler.interrupt;
	return code;
}

ER def_svc(FN fncd, const T_DSVC *pk_dsvc)
{
	FP entry;
	ER code = itron_defined(pk_dsvc, &entry);

	return code ? code : itron_define_svc(fncd, entry);
}

ER def_exc(EXCNO excno, const T_DEXC *pk_dexc)
{
	FP entry;
	ER code = itron_defined(pk_dexc, &entry);

	return code ? code : itron_define_exception(excno, entry);
}

ER ref_cfg(T_RCFG *pk_rcfg)
{
	if (itron_bad(pk_rcfg))
		return E_PAR;
	*pk_rcfg = (T_RCFG){ID_MAX, TMAX_TPRI};
	return E_OK;
}

ER ref_ver(T_RVER *pk_rver)
{
	if (itron_bad(pk_rver))
		return E_PAR;
	*pk_rver = (T_RVER){.spver = TKERNEL_SPVER, .prver = TKERNEL_PRVER};
	return E_OK;
}
