/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message buffers, ports and memory pools of µITRON 4.0. */
#include "uitron4.h"

#define SIZES_MAX (1u << 30)

static ER create_mbf(ID id, const T_CMBF *packet)
{
	struct itron_buffer_how how;

	if (itron_bad(packet) || !packet->maxmsz || packet->maxmsz > SIZES_MAX ||
	    packet->mbfsz > SIZES_MAX)
		return E_PAR;
	if (packet->mbfatr & ~TA_TPRI)
		return E_RSATR;
	how.bytes = (uint32_t)packet->mbfsz;
	how.message_bytes = packet->maxmsz;
	return itron_create(&(struct itron_making){.type = ITRON_BUFFER,
						   .id = id,
						   .attributes = packet->mbfatr,
						   .make = itron_buffer_make,
						   .how = &how});
}

ER cre_mbf(ID mbfid, const T_CMBF *pk_cmbf)
{
	return mbfid <= 0 ? E_ID : uitron4_ok(create_mbf(mbfid, pk_cmbf));
}

ER_ID acre_mbf(const T_CMBF *pk_cmbf)
{
	return create_mbf(0, pk_cmbf);
}

ER_UINT trcv_mbf(ID mbfid, VP msg, TMO tmout)
{
	return itron_bad(msg) ? E_PAR : itron_buffer_receive(mbfid, msg, tmout);
}

ER_UINT rcv_mbf(ID mbfid, VP msg)
{
	return trcv_mbf(mbfid, msg, TMO_FEVR);
}

ER_UINT prcv_mbf(ID mbfid, VP msg)
{
	return trcv_mbf(mbfid, msg, TMO_POL);
}

ER ref_mbf(ID mbfid, T_RMBF *pk_rmbf)
{
	struct itron_state state;
	ER code = itron_buffer_inquire(pk_rmbf, mbfid, &state);

	if (!code)
		*pk_rmbf = (T_RMBF){state.other, state.waiter, state.count, state.free_bytes};
	return code;
}

static ER create_por(ID id, const T_CPOR *packet)
{
	struct itron_port how;

	if (itron_bad(packet) || packet->maxcmsz > SIZES_MAX || packet->maxrmsz > SIZES_MAX)
		return E_PAR;
	if (packet->poratr & ~TA_TPRI)
		return E_RSATR;
	how.call_bytes = packet->maxcmsz;
	how.reply_bytes = packet->maxrmsz;
	return itron_create(&(struct itron_making){.type = ITRON_PORT,
						   .id = id,
						   .attributes = packet->poratr,
						   .make = itron_port_make,
						   .how = &how});
}

ER cre_por(ID porid, const T_CPOR *pk_cpor)
{
	return porid <= 0 ? E_ID : uitron4_ok(create_por(porid, pk_cpor));
}

ER_ID acre_por(const T_CPOR *pk_cpor)
{
	return create_por(0, pk_cpor);
}

ER_UINT tcal_por(ID porid, RDVPTN calptn, VP msg, UINT cmsgsz, TMO tmout)
{
	/* The time is for the whole rendezvous, so there is no poll. */
	if (itron_bad(msg) || tmout == TMO_POL)
		return E_PAR;
	return itron_port_call(porid, calptn, msg, cmsgsz, tmout, true);
}

ER_UINT cal_por(ID porid, RDVPTN calptn, VP msg, UINT cmsgsz)
{
	return tcal_por(porid, calptn, msg, cmsgsz, TMO_FEVR);
}

ER_UINT tacp_por(ID porid, RDVPTN acpptn, RDVNO *p_rdvno, VP msg, TMO tmout)
{
	if (itron_bad(p_rdvno) || itron_bad(msg))
		return E_PAR;
	return itron_port_accept(porid, acpptn, p_rdvno, msg, tmout);
}

ER_UINT acp_por(ID porid, RDVPTN acpptn, RDVNO *p_rdvno, VP msg)
{
	return tacp_por(porid, acpptn, p_rdvno, msg, TMO_FEVR);
}

ER_UINT pacp_por(ID porid, RDVPTN acpptn, RDVNO *p_rdvno, VP msg)
{
	return tacp_por(porid, acpptn, p_rdvno, msg, TMO_POL);
}

ER ref_por(ID porid, T_RPOR *pk_rpor)
{
	struct itron_state state;
	ER code = itron_port_inquire(pk_rpor, porid, &state);

	if (!code)
		*pk_rpor = (T_RPOR){state.waiter, state.other};
	return code;
}

ER ref_rdv(RDVNO rdvno, T_RRDV *pk_rrdv)
{
	if (itron_bad(pk_rrdv))
		return E_PAR;
	if (itron_cpu_locked())
		return E_CTX;
	pk_rrdv->wtskid = itron_rendezvous_caller(rdvno);
	return E_OK;
}

static ER create_mpf(ID id, const T_CMPF *packet)
{
	struct itron_pool_how how;

	if (itron_bad(packet) || !packet->blkcnt || !packet->blksz)
		return E_PAR;
	if (packet->mpfatr & ~TA_TPRI)
		return E_RSATR;
	how.blocks = packet->blkcnt;
	how.block_bytes = packet->blksz;
	return itron_create(&(struct itron_making){.type = ITRON_POOL,
						   .id = id,
						   .attributes = packet->mpfatr,
						   .make = itron_pool_make,
						   .how = &how});
}

ER cre_mpf(ID mpfid, const T_CMPF *pk_cmpf)
{
	return mpfid <= 0 ? E_ID : uitron4_ok(create_mpf(mpfid, pk_cmpf));
}

ER_ID acre_mpf(const T_CMPF *pk_cmpf)
{
	return create_mpf(0, pk_cmpf);
}

ER tget_mpf(ID mpfid, VP *p_blk, TMO tmout)
{
	return itron_pool_get(mpfid, p_blk, tmout);
}

ER get_mpf(ID mpfid, VP *p_blk)
{
	return itron_pool_get(mpfid, p_blk, TMO_FEVR);
}

ER pget_mpf(ID mpfid, VP *p_blk)
{
	return itron_pool_get(mpfid, p_blk, TMO_POL);
}

ER rel_mpf(ID mpfid, VP blk)
{
	return itron_pool_put(mpfid, blk);
}

ER ref_mpf(ID mpfid, T_RMPF *pk_rmpf)
{
	struct itron_state state;
	ER code = itron_pool_inquire(pk_rmpf, mpfid, &state);

	if (!code)
		*pk_rmpf = (T_RMPF){state.waiter, state.count};
	return code;
}

static ER create_mpl(ID id, const T_CMPL *packet)
{
	if (itron_bad(packet) || !packet->mplsz || packet->mplsz > SIZES_MAX)
		return E_PAR;
	if (packet->mplatr & ~TA_TPRI)
		return E_RSATR;
	return itron_create(&(struct itron_making){.type = ITRON_HEAP,
						   .id = id,
						   .attributes = packet->mplatr,
						   .make = itron_heap_make,
						   .how = &packet->mplsz});
}

ER cre_mpl(ID mplid, const T_CMPL *pk_cmpl)
{
	return mplid <= 0 ? E_ID : uitron4_ok(create_mpl(mplid, pk_cmpl));
}

ER_ID acre_mpl(const T_CMPL *pk_cmpl)
{
	return create_mpl(0, pk_cmpl);
}

ER tget_mpl(ID mplid, UINT blksz, VP *p_blk, TMO tmout)
{
	return itron_heap_get(mplid, blksz, p_blk, tmout);
}

ER get_mpl(ID mplid, UINT blksz, VP *p_blk)
{
	return itron_heap_get(mplid, blksz, p_blk, TMO_FEVR);
}

ER pget_mpl(ID mplid, UINT blksz, VP *p_blk)
{
	return itron_heap_get(mplid, blksz, p_blk, TMO_POL);
}

ER rel_mpl(ID mplid, VP blk)
{
	return itron_heap_put(mplid, blk);
}

ER ref_mpl(ID mplid, T_RMPL *pk_rmpl)
{
	struct itron_state state;
	ER code = itron_heap_inquire(pk_rmpl, mplid, &state);

	if (!code)
		*pk_rmpl = (T_RMPL){state.waiter, state.free_bytes, (UINT)state.block_bytes};
	return code;
}
