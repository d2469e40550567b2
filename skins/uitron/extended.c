/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message buffers, ports and memory pools of µITRON 3.02. */
#include "itron/core.h"

ER cre_mbf(ID mbfid, T_CMBF *pk_cmbf)
{
	struct itron_buffer_how how;

	if (itron_bad(pk_cmbf) || pk_cmbf->bufsz < 0 || pk_cmbf->maxmsz <= 0)
		return E_PAR;
	if (pk_cmbf->mbfatr & ~TA_TPRI)
		return E_RSATR;
	how.bytes = (uint32_t)pk_cmbf->bufsz;
	how.message_bytes = (uint32_t)pk_cmbf->maxmsz;
	return itron_create_as((struct itron_making){.type = ITRON_BUFFER,
						     .attributes = pk_cmbf->mbfatr,
						     .exinf = (intptr_t)pk_cmbf->exinf,
						     .make = itron_buffer_make,
						     .how = &how},
			       mbfid);
}

ER trcv_mbf(VP msg, INT *p_msgsz, ID mbfid, TMO tmout)
{
	ER result;

	if (itron_bad(msg) || itron_bad(p_msgsz))
		return E_PAR;
	result = itron_buffer_receive(mbfid, msg, tmout);
	if (result < 0)
		return result;
	*p_msgsz = result;
	return E_OK;
}

ER rcv_mbf(VP msg, INT *p_msgsz, ID mbfid)
{
	return trcv_mbf(msg, p_msgsz, mbfid, TMO_FEVR);
}

ER prcv_mbf(VP msg, INT *p_msgsz, ID mbfid)
{
	return trcv_mbf(msg, p_msgsz, mbfid, TMO_POL);
}

ER ref_mbf(T_RMBF *pk_rmbf, ID mbfid)
{
	struct itron_state state;
	ER code = itron_buffer_inquire(pk_rmbf, mbfid, &state);

	if (!code)
		*pk_rmbf = (T_RMBF){(VP)state.exinf, state.waiter, state.other,
				    (INT)state.next_bytes, (INT)state.free_bytes};
	return code;
}

ER cre_por(ID porid, T_CPOR *pk_cpor)
{
	struct itron_port how;

	if (itron_bad(pk_cpor) || pk_cpor->maxcmsz < 0 || pk_cpor->maxrmsz < 0)
		return E_PAR;
	if (pk_cpor->poratr != TA_NULL)
		return E_RSATR;
	how.call_bytes = (uint32_t)pk_cpor->maxcmsz;
	how.reply_bytes = (uint32_t)pk_cpor->maxrmsz;
	return itron_create_as((struct itron_making){.type = ITRON_PORT,
						     .attributes = pk_cpor->poratr,
						     .exinf = (intptr_t)pk_cpor->exinf,
						     .make = itron_port_make,
						     .how = &how},
			       porid);
}

ER tcal_por(VP msg, INT *p_rmsgsz, ID porid, UINT calptn, INT cmsgsz, TMO tmout)
{
	ER result;

	if (itron_bad(msg) || itron_bad(p_rmsgsz) || cmsgsz < 0)
		return E_PAR;
	result = itron_port_call(porid, calptn, msg, (uint32_t)cmsgsz, tmout, false);
	if (result < 0)
		return result;
	*p_rmsgsz = result;
	return E_OK;
}

ER cal_por(VP msg, INT *p_rmsgsz, ID porid, UINT calptn, INT cmsgsz)
{
	return tcal_por(msg, p_rmsgsz, porid, calptn, cmsgsz, TMO_FEVR);
}

ER pcal_por(VP msg, INT *p_rmsgsz, ID porid, UINT calptn, INT cmsgsz)
{
	return tcal_por(msg, p_rmsgsz, porid, calptn, cmsgsz, TMO_POL);
}

ER tacp_por(RNO *p_rdvno, VP msg, INT *p_cmsgsz, ID porid, UINT acpptn, TMO tmout)
{
	ER result;

	if (itron_bad(p_rdvno) || itron_bad(msg) || itron_bad(p_cmsgsz))
		return E_PAR;
	result = itron_port_accept(porid, acpptn, p_rdvno, msg, tmout);
	if (result < 0)
		return result;
	*p_cmsgsz = result;
	return E_OK;
}

ER acp_por(RNO *p_rdvno, VP msg, INT *p_cmsgsz, ID porid, UINT acpptn)
{
	return tacp_por(p_rdvno, msg, p_cmsgsz, porid, acpptn, TMO_FEVR);
}

ER pacp_por(RNO *p_rdvno, VP msg, INT *p_cmsgsz, ID porid, UINT acpptn)
{
	return tacp_por(p_rdvno, msg, p_cmsgsz, porid, acpptn, TMO_POL);
}

ER ref_por(T_RPOR *pk_rpor, ID porid)
{
	struct itron_state state;
	ER code = itron_port_inquire(pk_rpor, porid, &state);

	if (!code)
		*pk_rpor = (T_RPOR){(VP)state.exinf, state.waiter, state.other};
	return code;
}

ER cre_mpf(ID mpfid, T_CMPF *pk_cmpf)
{
	struct itron_pool_how how;

	if (itron_bad(pk_cmpf) || pk_cmpf->mpfcnt <= 0 || pk_cmpf->blfsz <= 0)
		return E_PAR;
	if (pk_cmpf->mpfatr & ~TA_TPRI)
		return E_RSATR;
	how.blocks = (uint32_t)pk_cmpf->mpfcnt;
	how.block_bytes = (size_t)pk_cmpf->blfsz;
	return itron_create_as((struct itron_making){.type = ITRON_POOL,
						     .attributes = pk_cmpf->mpfatr,
						     .exinf = (intptr_t)pk_cmpf->exinf,
						     .make = itron_pool_make,
						     .how = &how},
			       mpfid);
}

ER tget_blf(VP *p_blf, ID mpfid, TMO tmout)
{
	return itron_pool_get(mpfid, p_blf, tmout);
}

ER get_blf(VP *p_blf, ID mpfid)
{
	return itron_pool_get(mpfid, p_blf, TMO_FEVR);
}

ER pget_blf(VP *p_blf, ID mpfid)
{
	return itron_pool_get(mpfid, p_blf, TMO_POL);
}

ER rel_blf(ID mpfid, VP blf)
{
	return itron_pool_put(mpfid, blf);
}

ER ref_mpf(T_RMPF *pk_rmpf, ID mpfid)
{
	struct itron_state state;
	ER code = itron_pool_inquire(pk_rmpf, mpfid, &state);

	if (!code)
		*pk_rmpf = (T_RMPF){(VP)state.exinf, state.waiter, (INT)state.count};
	return code;
}

ER cre_mpl(ID mplid, T_CMPL *pk_cmpl)
{
	size_t bytes;

	if (itron_bad(pk_cmpl) || pk_cmpl->mplsz <= 0)
		return E_PAR;
	if (pk_cmpl->mplatr & ~TA_TPRI)
		return E_RSATR;
	bytes = (size_t)pk_cmpl->mplsz;
	return itron_create_as((struct itron_making){.type = ITRON_HEAP,
						     .attributes = pk_cmpl->mplatr,
						     .exinf = (intptr_t)pk_cmpl->exinf,
						     .make = itron_heap_make,
						     .how = &bytes},
			       mplid);
}

ER tget_blk(VP *p_blk, ID mplid, INT blksz, TMO tmout)
{
	return blksz < 0 ? E_PAR : itron_heap_get(mplid, (uint32_t)blksz, p_blk, tmout);
}

ER get_blk(VP *p_blk, ID mplid, INT blksz)
{
	return tget_blk(p_blk, mplid, blksz, TMO_FEVR);
}

ER pget_blk(VP *p_blk, ID mplid, INT blksz)
{
	return tget_blk(p_blk, mplid, blksz, TMO_POL);
}

ER rel_blk(ID mplid, VP blk)
{
	return itron_heap_put(mplid, blk);
}

ER ref_mpl(T_RMPL *pk_rmpl, ID mplid)
{
	struct itron_state state;
	ER code = itron_heap_inquire(pk_rmpl, mplid, &state);

	if (!code)
		*pk_rmpl = (T_RMPL){(VP)state.exinf, state.waiter, (INT)state.free_bytes,
				    (INT)state.block_bytes};
	return code;
}
