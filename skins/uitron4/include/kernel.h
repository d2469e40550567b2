/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * µITRON 4.0: constants, packets and service calls. docs/reference/skins/uitron4.md says of each
 * call what it does, which errors it returns and from where it may be called;
 * docs/guide/skins/uitron.md says how a program is built.
 *
 * IDs are chosen by the program, from 1 to 32767, or by acre_x(). Times are in ms. An address that
 * is NULL or -1 is E_PAR. Memory that the program could supply (stk, dtq, mprihd, mbf, mpf, mpl) is
 * not used: the memory is the implementation's.
 */
#ifndef TACTUS_ITRON4_KERNEL_H
#define TACTUS_ITRON4_KERNEL_H

#include <itron.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef UINT TEXPTN;
typedef UINT FLGPTN;
typedef UINT RDVPTN;
typedef INT RDVNO;
typedef UINT OVRTIM;
typedef UINT INHNO;
typedef UINT INTNO;
typedef UINT EXCNO;

/* Attributes of objects. */
#define TA_HLNG    0x00u
#define TA_ASM     0x01u
#define TA_TFIFO   0x00u
#define TA_TPRI    0x01u
#define TA_MFIFO   0x00u
#define TA_MPRI    0x02u
#define TA_ACT     0x02u
#define TA_RSTR    0x04u
#define TA_WSGL    0x00u
#define TA_WMUL    0x02u
#define TA_CLR     0x04u
#define TA_INHERIT 0x02u
#define TA_CEILING 0x03u
#define TA_STA     0x02u
#define TA_PHS     0x04u

#define TWF_ANDW 0x00u
#define TWF_ORW  0x01u

/* As in µITRON 3.02; the values of TTW_x are other ones. */
#define TTS_RUN 0x01u
#define TTS_RDY 0x02u
#define TTS_WAI 0x04u
#define TTS_SUS 0x08u
#define TTS_WAS 0x0cu
#define TTS_DMT 0x10u

#define TTW_SLP  0x0001u
#define TTW_DLY  0x0002u
#define TTW_SEM  0x0004u
#define TTW_FLG  0x0008u
#define TTW_SDTQ 0x0010u
#define TTW_RDTQ 0x0020u
#define TTW_MBX  0x0040u
#define TTW_MTX  0x0080u
#define TTW_SMBF 0x0100u
#define TTW_RMBF 0x0200u
#define TTW_CAL  0x0400u
#define TTW_ACP  0x0800u
#define TTW_RDV  0x1000u
#define TTW_MPF  0x2000u
#define TTW_MPL  0x4000u

#define TTEX_ENA 0x00u
#define TTEX_DIS 0x01u
#define TCYC_STP 0x00u
#define TCYC_STA 0x01u
#define TALM_STP 0x00u
#define TALM_STA 0x01u
#define TOVR_STP 0x00u
#define TOVR_STA 0x01u

#define TSK_SELF  0
#define TSK_NONE  0
#define TPRI_SELF 0
#define TPRI_INI  0

#define TMIN_TPRI   1
#define TMAX_TPRI   255
#define TMIN_MPRI   1
#define TMAX_MPRI   0x7fff
#define TMAX_ACTCNT 65535
#define TMAX_WUPCNT 65535
#define TMAX_SUSCNT 65535
#define TMAX_MAXSEM 0x7fffffff
#define TBIT_TEXPTN 32
#define TBIT_FLGPTN 32
#define TBIT_RDVPTN 32
#define TIC_NUME    1 /* of ms, as TIC_DENO */
#define TIC_DENO    1

#define TKERNEL_MAKER 0x0000u
#define TKERNEL_PRID  0x0000u
#define TKERNEL_SPVER 0x5400u
#define TKERNEL_PRVER 0x0001u

#define TSZ_DTQ(dtqcnt)      ((SIZE)(dtqcnt) * sizeof(VP_INT))
#define TSZ_MPRIHD(maxmpri)  ((SIZE)(maxmpri) * sizeof(VP))
#define TSZ_MBF(msgcnt, msz) ((SIZE)(msgcnt) * ((SIZE)(msz) + 4u))
#define TSZ_MPF(cnt, sz)     ((SIZE)(cnt) * (((SIZE)(sz) + 15u) & ~(SIZE)15u))
#define TSZ_MPL(cnt, sz)     ((SIZE)(cnt) * (((SIZE)(sz) + 31u) & ~(SIZE)15u))

/* Tasks. */
typedef struct t_ctsk {
	ATR tskatr;
	VP_INT exinf;
	FP task; /* called with exinf, or with the code of sta_tsk() */
	PRI itskpri;
	SIZE stksz; /* bytes; at least 64 KiB are given */
	VP stk;
} T_CTSK;

typedef struct t_rtsk {
	STAT tskstat;
	PRI tskpri;
	PRI tskbpri;
	STAT tskwait; /* 0: it does not wait */
	ID wobjid;
	TMO lefttmo;
	UINT actcnt;
	UINT wupcnt;
	UINT suscnt;
} T_RTSK;

typedef struct t_rtst {
	STAT tskstat;
	STAT tskwait;
} T_RTST;

ER cre_tsk(ID tskid, const T_CTSK *pk_ctsk);
ER_ID acre_tsk(const T_CTSK *pk_ctsk);
ER del_tsk(ID tskid);
ER act_tsk(ID tskid);
ER iact_tsk(ID tskid);
ER_UINT can_act(ID tskid);
ER sta_tsk(ID tskid, VP_INT stacd);
void ext_tsk(void);
void exd_tsk(void);
ER ter_tsk(ID tskid);
ER chg_pri(ID tskid, PRI tskpri);
ER get_pri(ID tskid, PRI *p_tskpri);
ER ref_tsk(ID tskid, T_RTSK *pk_rtsk);
ER ref_tst(ID tskid, T_RTST *pk_rtst);
ER slp_tsk(void);
ER tslp_tsk(TMO tmout);
ER wup_tsk(ID tskid);
ER iwup_tsk(ID tskid);
ER_UINT can_wup(ID tskid);
ER rel_wai(ID tskid);
ER irel_wai(ID tskid);
ER sus_tsk(ID tskid);
ER rsm_tsk(ID tskid);
ER frsm_tsk(ID tskid);
ER dly_tsk(RELTIM dlytim);

/* Task exceptions: texrtn(texptn, exinf). */
typedef struct t_dtex {
	ATR texatr;
	FP texrtn;
} T_DTEX;

typedef struct t_rtex {
	STAT texstat;
	TEXPTN pndptn;
} T_RTEX;

ER def_tex(ID tskid, const T_DTEX *pk_dtex);
ER ras_tex(ID tskid, TEXPTN rasptn);
ER iras_tex(ID tskid, TEXPTN rasptn);
ER dis_tex(void);
ER ena_tex(void);
BOOL sns_tex(void);
ER ref_tex(ID tskid, T_RTEX *pk_rtex);

/* Semaphores. */
typedef struct t_csem {
	ATR sematr;
	UINT isemcnt;
	UINT maxsem;
} T_CSEM;

typedef struct t_rsem {
	ID wtskid; /* here and below: the first task that waits, or TSK_NONE */
	UINT semcnt;
} T_RSEM;

ER cre_sem(ID semid, const T_CSEM *pk_csem);
ER_ID acre_sem(const T_CSEM *pk_csem);
ER del_sem(ID semid);
ER sig_sem(ID semid);
ER isig_sem(ID semid);
ER wai_sem(ID semid);
ER pol_sem(ID semid);
ER twai_sem(ID semid, TMO tmout);
ER ref_sem(ID semid, T_RSEM *pk_rsem);

/* Event flags. */
typedef struct t_cflg {
	ATR flgatr;
	FLGPTN iflgptn;
} T_CFLG;

typedef struct t_rflg {
	ID wtskid;
	FLGPTN flgptn;
} T_RFLG;

ER cre_flg(ID flgid, const T_CFLG *pk_cflg);
ER_ID acre_flg(const T_CFLG *pk_cflg);
ER del_flg(ID flgid);
ER set_flg(ID flgid, FLGPTN setptn);
ER iset_flg(ID flgid, FLGPTN setptn);
ER clr_flg(ID flgid, FLGPTN clrptn);
ER wai_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn);
ER pol_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn);
ER twai_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn, TMO tmout);
ER ref_flg(ID flgid, T_RFLG *pk_rflg);

/* Data queues. */
typedef struct t_cdtq {
	ATR dtqatr;
	UINT dtqcnt; /* 0: a sender waits until its data are received */
	VP dtq;
} T_CDTQ;

typedef struct t_rdtq {
	ID stskid;
	ID rtskid;
	UINT sdtqcnt;
} T_RDTQ;

ER cre_dtq(ID dtqid, const T_CDTQ *pk_cdtq);
ER_ID acre_dtq(const T_CDTQ *pk_cdtq);
ER del_dtq(ID dtqid);
ER snd_dtq(ID dtqid, VP_INT data);
ER psnd_dtq(ID dtqid, VP_INT data);
ER ipsnd_dtq(ID dtqid, VP_INT data);
ER tsnd_dtq(ID dtqid, VP_INT data, TMO tmout);
ER fsnd_dtq(ID dtqid, VP_INT data);
ER ifsnd_dtq(ID dtqid, VP_INT data);
ER rcv_dtq(ID dtqid, VP_INT *p_data);
ER prcv_dtq(ID dtqid, VP_INT *p_data);
ER trcv_dtq(ID dtqid, VP_INT *p_data, TMO tmout);
ER ref_dtq(ID dtqid, T_RDTQ *pk_rdtq);

/* Mailboxes: messages are linked by their headers. */
typedef struct t_msg {
	struct t_msg *next;
} T_MSG;

typedef struct t_msg_pri {
	T_MSG msgque;
	PRI msgpri;
} T_MSG_PRI;

typedef struct t_cmbx {
	ATR mbxatr;
	PRI maxmpri;
	VP mprihd;
} T_CMBX;

typedef struct t_rmbx {
	ID wtskid;
	T_MSG *pk_msg; /* the next message; NULL: none */
} T_RMBX;

ER cre_mbx(ID mbxid, const T_CMBX *pk_cmbx);
ER_ID acre_mbx(const T_CMBX *pk_cmbx);
ER del_mbx(ID mbxid);
ER snd_mbx(ID mbxid, T_MSG *pk_msg);
ER rcv_mbx(ID mbxid, T_MSG **ppk_msg);
ER prcv_mbx(ID mbxid, T_MSG **ppk_msg);
ER trcv_mbx(ID mbxid, T_MSG **ppk_msg, TMO tmout);
ER ref_mbx(ID mbxid, T_RMBX *pk_rmbx);

/* Mutexes. */
typedef struct t_cmtx {
	ATR mtxatr;
	PRI ceilpri;
} T_CMTX;

typedef struct t_rmtx {
	ID htskid; /* the task that has locked it */
	ID wtskid;
} T_RMTX;

ER cre_mtx(ID mtxid, const T_CMTX *pk_cmtx);
ER_ID acre_mtx(const T_CMTX *pk_cmtx);
ER del_mtx(ID mtxid);
ER loc_mtx(ID mtxid);
ER ploc_mtx(ID mtxid);
ER tloc_mtx(ID mtxid, TMO tmout);
ER unl_mtx(ID mtxid);
ER ref_mtx(ID mtxid, T_RMTX *pk_rmtx);

/* Message buffers. */
typedef struct t_cmbf {
	ATR mbfatr;
	UINT maxmsz;
	SIZE mbfsz; /* 0: a sender waits until its message is received */
	VP mbf;
} T_CMBF;

typedef struct t_rmbf {
	ID stskid;
	ID rtskid;
	UINT smsgcnt;
	SIZE fmbfsz;
} T_RMBF;

ER cre_mbf(ID mbfid, const T_CMBF *pk_cmbf);
ER_ID acre_mbf(const T_CMBF *pk_cmbf);
ER del_mbf(ID mbfid);
ER snd_mbf(ID mbfid, VP msg, UINT msgsz);
ER psnd_mbf(ID mbfid, VP msg, UINT msgsz);
ER tsnd_mbf(ID mbfid, VP msg, UINT msgsz, TMO tmout);
ER_UINT rcv_mbf(ID mbfid, VP msg);
ER_UINT prcv_mbf(ID mbfid, VP msg);
ER_UINT trcv_mbf(ID mbfid, VP msg, TMO tmout);
ER ref_mbf(ID mbfid, T_RMBF *pk_rmbf);

/* Ports for rendezvous. msg of a call has to have room for maxrmsz bytes. */
typedef struct t_cpor {
	ATR poratr;
	UINT maxcmsz;
	UINT maxrmsz;
} T_CPOR;

typedef struct t_rpor {
	ID ctskid;
	ID atskid;
} T_RPOR;

typedef struct t_rrdv {
	ID wtskid;
} T_RRDV;

ER cre_por(ID porid, const T_CPOR *pk_cpor);
ER_ID acre_por(const T_CPOR *pk_cpor);
ER del_por(ID porid);
ER_UINT cal_por(ID porid, RDVPTN calptn, VP msg, UINT cmsgsz);
ER_UINT tcal_por(ID porid, RDVPTN calptn, VP msg, UINT cmsgsz, TMO tmout);
ER_UINT acp_por(ID porid, RDVPTN acpptn, RDVNO *p_rdvno, VP msg);
ER_UINT pacp_por(ID porid, RDVPTN acpptn, RDVNO *p_rdvno, VP msg);
ER_UINT tacp_por(ID porid, RDVPTN acpptn, RDVNO *p_rdvno, VP msg, TMO tmout);
ER fwd_por(ID porid, RDVPTN calptn, RDVNO rdvno, VP msg, UINT cmsgsz);
ER rpl_rdv(RDVNO rdvno, VP msg, UINT rmsgsz);
ER ref_por(ID porid, T_RPOR *pk_rpor);
ER ref_rdv(RDVNO rdvno, T_RRDV *pk_rrdv);

/* Memory pools: with blocks of one size, and of any size. */
typedef struct t_cmpf {
	ATR mpfatr;
	UINT blkcnt;
	UINT blksz;
	VP mpf;
} T_CMPF;

typedef struct t_rmpf {
	ID wtskid;
	UINT fblkcnt;
} T_RMPF;

typedef struct t_cmpl {
	ATR mplatr;
	SIZE mplsz;
	VP mpl;
} T_CMPL;

typedef struct t_rmpl {
	ID wtskid;
	SIZE fmplsz;
	UINT fblksz;
} T_RMPL;

ER cre_mpf(ID mpfid, const T_CMPF *pk_cmpf);
ER_ID acre_mpf(const T_CMPF *pk_cmpf);
ER del_mpf(ID mpfid);
ER get_mpf(ID mpfid, VP *p_blk);
ER pget_mpf(ID mpfid, VP *p_blk);
ER tget_mpf(ID mpfid, VP *p_blk, TMO tmout);
ER rel_mpf(ID mpfid, VP blk);
ER ref_mpf(ID mpfid, T_RMPF *pk_rmpf);
ER cre_mpl(ID mplid, const T_CMPL *pk_cmpl);
ER_ID acre_mpl(const T_CMPL *pk_cmpl);
ER del_mpl(ID mplid);
ER get_mpl(ID mplid, UINT blksz, VP *p_blk);
ER pget_mpl(ID mplid, UINT blksz, VP *p_blk);
ER tget_mpl(ID mplid, UINT blksz, VP *p_blk, TMO tmout);
ER rel_mpl(ID mplid, VP blk);
ER ref_mpl(ID mplid, T_RMPL *pk_rmpl);

/* Time. Handlers make no Linux call. */
typedef struct t_ccyc {
	ATR cycatr;
	VP_INT exinf;
	FP cychdr;
	RELTIM cyctim;
	RELTIM cycphs;
} T_CCYC;

typedef struct t_rcyc {
	STAT cycstat;
	RELTIM lefttim;
} T_RCYC;

typedef struct t_calm {
	ATR almatr;
	VP_INT exinf;
	FP almhdr;
} T_CALM;

typedef struct t_ralm {
	STAT almstat;
	RELTIM lefttim;
} T_RALM;

/* ovrhdr(tskid, exinf) */
typedef struct t_dovr {
	ATR ovratr;
	FP ovrhdr;
} T_DOVR;

typedef struct t_rovr {
	STAT ovrstat;
	OVRTIM leftotm;
} T_ROVR;

ER set_tim(const SYSTIM *p_systim);
ER get_tim(SYSTIM *p_systim);
ER isig_tim(void);
ER cre_cyc(ID cycid, const T_CCYC *pk_ccyc);
ER_ID acre_cyc(const T_CCYC *pk_ccyc);
ER del_cyc(ID cycid);
ER sta_cyc(ID cycid);
ER stp_cyc(ID cycid);
ER ref_cyc(ID cycid, T_RCYC *pk_rcyc);
ER cre_alm(ID almid, const T_CALM *pk_calm);
ER_ID acre_alm(const T_CALM *pk_calm);
ER del_alm(ID almid);
ER sta_alm(ID almid, RELTIM almtim);
ER stp_alm(ID almid);
ER ref_alm(ID almid, T_RALM *pk_ralm);
ER def_ovr(const T_DOVR *pk_dovr);
ER sta_ovr(ID tskid, OVRTIM ovrtim);
ER stp_ovr(ID tskid);
ER ref_ovr(ID tskid, T_ROVR *pk_rovr);

/* System. */
typedef struct t_rsys {
	ID runtskid; /* of this implementation, as maxid and the others below */
	BOOL ctx;
	BOOL loc;
	BOOL dsp;
} T_RSYS;

ER rot_rdq(PRI tskpri);
ER irot_rdq(PRI tskpri);
ER get_tid(ID *p_tskid);
ER iget_tid(ID *p_tskid);
ER loc_cpu(void);
ER iloc_cpu(void);
ER unl_cpu(void);
ER iunl_cpu(void);
ER dis_dsp(void);
ER ena_dsp(void);
BOOL sns_ctx(void);
BOOL sns_loc(void);
BOOL sns_dsp(void);
BOOL sns_dpn(void);
ER ref_sys(T_RSYS *pk_rsys);

/* Interrupts have numbers from 0 to 255. vras_int(), of this implementation, raises one. */
typedef struct t_dinh {
	ATR inhatr;
	FP inthdr;
} T_DINH;

typedef struct t_cisr {
	ATR isratr;
	VP_INT exinf;
	INTNO intno;
	FP isr;
} T_CISR;

typedef struct t_risr {
	INTNO intno;
} T_RISR;

ER def_inh(INHNO inhno, const T_DINH *pk_dinh);
ER cre_isr(ID isrid, const T_CISR *pk_cisr);
ER_ID acre_isr(const T_CISR *pk_cisr);
ER del_isr(ID isrid);
ER ref_isr(ID isrid, T_RISR *pk_risr);
ER dis_int(INTNO intno);
ER ena_int(INTNO intno);
ER vras_int(INTNO intno);

/* Extended service calls have codes from 1 to 255 and up to three parameters. */
typedef struct t_dsvc {
	ATR svcatr;
	FP svcrtn;
} T_DSVC;

/* excno: SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGTRAP of <signal.h>. The handler gets excno. It runs
 * in the task that caused the exception, in secondary mode. */
typedef struct t_dexc {
	ATR excatr;
	FP exchdr;
} T_DEXC;

typedef struct t_rcfg {
	ID maxid;
	PRI maxtpri;
} T_RCFG;

typedef struct t_rver {
	UH maker;
	UH prid;
	UH spver;
	UH prver;
	UH prno[4];
} T_RVER;

/*
 * Of this implementation. vsta_knl() runs the function of vdef_cfg(), which makes the first
 * objects; then tasks run. It returns when no task and no handler is left, or with the error of
 * that function. kernel_cfg.c of `tactus uitron-cfg` calls both.
 */
ER vsta_knl(void);
ER vdef_cfg(ER (*make)(void));

ER def_svc(FN fncd, const T_DSVC *pk_dsvc);
ER_UINT cal_svc(FN fncd, ...);
ER def_exc(EXCNO excno, const T_DEXC *pk_dexc);
ER ref_cfg(T_RCFG *pk_rcfg);
ER ref_ver(T_RVER *pk_rver);

#ifdef __cplusplus
}
#endif

#endif
