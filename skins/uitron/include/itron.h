/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * µITRON 3.02: data types, constants, packets and system calls. docs/reference/skins/uitron.md says
 * of each call what it does, which errors it returns and from where it may be called;
 * docs/guide/skins/uitron.md says how a program is built.
 *
 * ER results are E_OK or a negative error. IDs are chosen by the program, from 1 to 32767. A
 * pointer that is NULL, NADR or not aligned is E_PAR. Times are in ms.
 */
#ifndef TACTUS_ITRON_H
#define TACTUS_ITRON_H

#include <stddef.h>
#include <stdint.h>

#ifdef TACTUS_ITRON4_H
#error "itron.h of µITRON 3.02 and of µITRON 4.0 cannot be mixed: use one include folder"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Also in the header of µITRON 4.0: a program has the include folder of one version. */
typedef int8_t B;
typedef int16_t H;
typedef int32_t W;
typedef uint8_t UB;
typedef uint16_t UH;
typedef uint32_t UW;
typedef uint8_t VB; /* values of an unknown type */
typedef uint16_t VH;
typedef uint32_t VW;
typedef void *VP;
#if defined(__GNUC__) && !defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
typedef void (*FP)(); /* address of a task or handler, whatever its parameters are */
#if defined(__GNUC__) && !defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

typedef int32_t INT;
typedef uint32_t UINT;
typedef INT BOOL;
typedef int16_t FN;
typedef INT ID;
typedef INT BOOL_ID; /* 0, or the ID of a task */
typedef INT HNO;
typedef INT RNO;
typedef INT NODE;
typedef UINT ATR;
typedef INT ER;
typedef INT PRI;
typedef INT TMO;
/* ms in one 64-bit integer; the specification leaves the members to the implementation. */
typedef int64_t SYSTIME;
typedef int64_t CYCTIME;
typedef int64_t ALMTIME;
typedef int64_t DLYTIME;

#define NADR ((VP)(intptr_t)-1) /* no address */
#ifndef TRUE
#define TRUE  1
#define FALSE 0
#endif

#define TMO_POL  0
#define TMO_FEVR (-1)

#define E_OK     0
#define E_SYS    (-5)
#define E_NOMEM  (-10)
#define E_NOSPT  (-17)
#define E_INOSPT (-18)
#define E_RSFN   (-20)
#define E_RSATR  (-24)
#define E_PAR    (-33)
#define E_ID     (-35)
#define E_NOEXS  (-52)
#define E_OBJ    (-63)
#define E_MACV   (-65)
#define E_OACV   (-66)
#define E_CTX    (-69)
#define E_QOVR   (-73)
#define E_DLT    (-81)
#define E_TMOUT  (-85)
#define E_RLWAI  (-86)

#define TA_NULL 0u
/* Of tasks and handlers. The coprocessors make no difference: each task has its own FPU state. */
#define TA_ASM  0x0000u
#define TA_HLNG 0x0001u
#define TA_COP0 0x8000u
#define TA_COP1 0x4000u
#define TA_COP2 0x2000u
#define TA_COP3 0x1000u
#define TA_COP4 0x0800u
#define TA_COP5 0x0400u
#define TA_COP6 0x0200u
#define TA_COP7 0x0100u
/* Of waiting tasks, messages and event flags. */
#define TA_TFIFO 0x00u
#define TA_TPRI  0x01u
#define TA_MFIFO 0x00u
#define TA_MPRI  0x02u
#define TA_WSGL  0x00u
#define TA_WMUL  0x08u

#define TSK_SELF 0
#define TPRI_INI 0
#define TPRI_RUN 0

/* Priorities of tasks; 1 is the highest. */
#define TMIN_TPRI 1
#define TMAX_TPRI 255

/* Tasks. */
typedef struct t_ctsk {
	VP exinf;
	ATR tskatr;
	FP task; /* called with stacd and exinf */
	PRI itskpri;
	INT stksz; /* bytes; at least 64 KiB are given */
} T_CTSK;

#define TTS_RUN 0x01u
#define TTS_RDY 0x02u
#define TTS_WAI 0x04u
#define TTS_SUS 0x08u
#define TTS_WAS 0x0cu
#define TTS_DMT 0x10u

#define TTW_SLP  0x0001u
#define TTW_DLY  0x0002u
#define TTW_NOD  0x0008u
#define TTW_FLG  0x0010u
#define TTW_SEM  0x0020u
#define TTW_MBX  0x0040u
#define TTW_SMBF 0x0080u
#define TTW_MBF  0x0100u
#define TTW_CAL  0x0200u
#define TTW_ACP  0x0400u
#define TTW_RDV  0x0800u
#define TTW_MPL  0x1000u
#define TTW_MPF  0x2000u

typedef struct t_rtsk {
	VP exinf;
	PRI tskpri;
	UINT tskstat;
	UINT tskwait; /* 0: it does not wait */
	ID wid;       /* what it waits for; 0: no object */
	INT wupcnt;
	INT suscnt;
	ATR tskatr;
	FP task;
	PRI itskpri;
	INT stksz;
} T_RTSK;

ER cre_tsk(ID tskid, T_CTSK *pk_ctsk);
ER del_tsk(ID tskid);
ER sta_tsk(ID tskid, INT stacd);
void ext_tsk(void);
void exd_tsk(void);
ER ter_tsk(ID tskid);
ER dis_dsp(void);
ER ena_dsp(void);
ER chg_pri(ID tskid, PRI tskpri);
ER rot_rdq(PRI tskpri);
ER rel_wai(ID tskid);
ER get_tid(ID *p_tskid);
ER ref_tsk(T_RTSK *pk_rtsk, ID tskid);

ER sus_tsk(ID tskid);
ER rsm_tsk(ID tskid);
ER frsm_tsk(ID tskid);
ER slp_tsk(void);
ER tslp_tsk(TMO tmout);
ER wup_tsk(ID tskid);
ER can_wup(INT *p_wupcnt, ID tskid);

/* An extension of Xenomai's interface: the calling Linux thread becomes a task of this ID, which
 * runs. task and stksz of the packet are not used. */
ER shd_tsk(ID tskid, T_CTSK *pk_ctsk);

/* Semaphores. */
typedef struct t_csem {
	VP exinf;
	ATR sematr;
	INT isemcnt;
	INT maxsem; /* 0: as many as there can be */
} T_CSEM;

typedef struct t_rsem {
	VP exinf;
	BOOL_ID wtsk; /* the first task that waits */
	INT semcnt;
} T_RSEM;

ER cre_sem(ID semid, T_CSEM *pk_csem);
ER del_sem(ID semid);
ER sig_sem(ID semid);
ER wai_sem(ID semid);
ER preq_sem(ID semid);
ER twai_sem(ID semid, TMO tmout);
ER ref_sem(T_RSEM *pk_rsem, ID semid);

/* Event flags. */
#define TWF_ANDW 0x00u
#define TWF_CLR  0x01u
#define TWF_ORW  0x02u

typedef struct t_cflg {
	VP exinf;
	ATR flgatr;
	UINT iflgptn;
} T_CFLG;

typedef struct t_rflg {
	VP exinf;
	BOOL_ID wtsk;
	UINT flgptn;
} T_RFLG;

ER cre_flg(ID flgid, T_CFLG *pk_cflg);
ER del_flg(ID flgid);
ER set_flg(ID flgid, UINT setptn);
ER clr_flg(ID flgid, UINT clrptn);
ER wai_flg(UINT *p_flgptn, ID flgid, UINT waiptn, UINT wfmode);
ER pol_flg(UINT *p_flgptn, ID flgid, UINT waiptn, UINT wfmode);
ER twai_flg(UINT *p_flgptn, ID flgid, UINT waiptn, UINT wfmode, TMO tmout);
ER ref_flg(T_RFLG *pk_rflg, ID flgid);

/* Mailboxes: rings of addresses of messages. With TA_MPRI a message begins with its priority; with
 * TA_MFIFO it is not read. */
typedef struct t_msg {
	INT msgpri; /* 1 is the highest */
	VB msgcont[4];
} T_MSG;

typedef struct t_cmbx {
	VP exinf;
	ATR mbxatr;
	INT bufcnt; /* messages that it can hold; 0: 64 */
} T_CMBX;

typedef struct t_rmbx {
	VP exinf;
	BOOL_ID wtsk;
	T_MSG *pk_msg; /* the next message; NADR: none */
} T_RMBX;

ER cre_mbx(ID mbxid, T_CMBX *pk_cmbx);
ER del_mbx(ID mbxid);
ER snd_msg(ID mbxid, T_MSG *pk_msg);
ER rcv_msg(T_MSG **ppk_msg, ID mbxid);
ER prcv_msg(T_MSG **ppk_msg, ID mbxid);
ER trcv_msg(T_MSG **ppk_msg, ID mbxid, TMO tmout);
ER ref_mbx(T_RMBX *pk_rmbx, ID mbxid);

/* Message buffers. */
typedef struct t_cmbf {
	VP exinf;
	ATR mbfatr;
	INT bufsz; /* 0: a sender waits until its message is received */
	INT maxmsz;
} T_CMBF;

typedef struct t_rmbf {
	VP exinf;
	BOOL_ID wtsk; /* the first task that waits to receive */
	BOOL_ID stsk; /* the first task that waits to send */
	INT msgsz;    /* of the next message; 0: none */
	INT frbufsz;
} T_RMBF;

ER cre_mbf(ID mbfid, T_CMBF *pk_cmbf);
ER del_mbf(ID mbfid);
ER snd_mbf(ID mbfid, VP msg, INT msgsz);
ER psnd_mbf(ID mbfid, VP msg, INT msgsz);
ER tsnd_mbf(ID mbfid, VP msg, INT msgsz, TMO tmout);
ER rcv_mbf(VP msg, INT *p_msgsz, ID mbfid);
ER prcv_mbf(VP msg, INT *p_msgsz, ID mbfid);
ER trcv_mbf(VP msg, INT *p_msgsz, ID mbfid, TMO tmout);
ER ref_mbf(T_RMBF *pk_rmbf, ID mbfid);

/* Ports for rendezvous. msg is the memory of the message and of the reply, and has to have room for
 * maxrmsz bytes. */
typedef struct t_cpor {
	VP exinf;
	ATR poratr;
	INT maxcmsz;
	INT maxrmsz;
} T_CPOR;

typedef struct t_rpor {
	VP exinf;
	BOOL_ID wtsk; /* the first task that waits to call */
	BOOL_ID atsk; /* the first task that waits to accept */
} T_RPOR;

ER cre_por(ID porid, T_CPOR *pk_cpor);
ER del_por(ID porid);
ER cal_por(VP msg, INT *p_rmsgsz, ID porid, UINT calptn, INT cmsgsz);
ER pcal_por(VP msg, INT *p_rmsgsz, ID porid, UINT calptn, INT cmsgsz);
ER tcal_por(VP msg, INT *p_rmsgsz, ID porid, UINT calptn, INT cmsgsz, TMO tmout);
ER acp_por(RNO *p_rdvno, VP msg, INT *p_cmsgsz, ID porid, UINT acpptn);
ER pacp_por(RNO *p_rdvno, VP msg, INT *p_cmsgsz, ID porid, UINT acpptn);
ER tacp_por(RNO *p_rdvno, VP msg, INT *p_cmsgsz, ID porid, UINT acpptn, TMO tmout);
ER fwd_por(ID porid, UINT calptn, RNO rdvno, VP msg, INT cmsgsz);
ER rpl_rdv(RNO rdvno, VP msg, INT rmsgsz);
ER ref_por(T_RPOR *pk_rpor, ID porid);

/* Interrupts have numbers from 0 to 255. vras_int() of uitron/extend.h raises one. */
typedef struct t_dint {
	ATR intatr;
	FP inthdr;
} T_DINT;

ER def_int(UINT dintno, T_DINT *pk_dint);
void ret_int(void) __attribute__((noreturn));
void ret_wup(ID tskid) __attribute__((noreturn));
ER loc_cpu(void);
ER unl_cpu(void);
ER dis_int(UINT eintno);
ER ena_int(UINT eintno);

/* Memory pools: with blocks of any size, and of one size. */
typedef struct t_cmpl {
	VP exinf;
	ATR mplatr;
	INT mplsz;
} T_CMPL;

typedef struct t_rmpl {
	VP exinf;
	BOOL_ID wtsk;
	INT frsz;
	INT maxsz;
} T_RMPL;

typedef struct t_cmpf {
	VP exinf;
	ATR mpfatr;
	INT mpfcnt;
	INT blfsz;
} T_CMPF;

typedef struct t_rmpf {
	VP exinf;
	BOOL_ID wtsk;
	INT frbcnt;
} T_RMPF;

ER cre_mpl(ID mplid, T_CMPL *pk_cmpl);
ER del_mpl(ID mplid);
ER get_blk(VP *p_blk, ID mplid, INT blksz);
ER pget_blk(VP *p_blk, ID mplid, INT blksz);
ER tget_blk(VP *p_blk, ID mplid, INT blksz, TMO tmout);
ER rel_blk(ID mplid, VP blk);
ER ref_mpl(T_RMPL *pk_rmpl, ID mplid);
ER cre_mpf(ID mpfid, T_CMPF *pk_cmpf);
ER del_mpf(ID mpfid);
ER get_blf(VP *p_blf, ID mpfid);
ER pget_blf(VP *p_blf, ID mpfid);
ER tget_blf(VP *p_blf, ID mpfid, TMO tmout);
ER rel_blf(ID mpfid, VP blf);
ER ref_mpf(T_RMPF *pk_rmpf, ID mpfid);

/* Time. Handlers have numbers from 1 to 32767, and make no Linux call. */
typedef struct t_dcyc {
	VP exinf;
	ATR cycatr;
	FP cychdr;
	UINT cycact;
	CYCTIME cyctim;
} T_DCYC;

#define TCY_OFF 0x00u
#define TCY_ON  0x01u
#define TCY_INT 0x02u /* the interval begins anew */
#define TCY_INI TCY_INT

typedef struct t_rcyc {
	VP exinf;
	CYCTIME lfttim;
	UINT cycact;
} T_RCYC;

typedef struct t_dalm {
	VP exinf;
	ATR almatr;
	FP almhdr;
	UINT tmmode;
	ALMTIME almtim;
} T_DALM;

#define TTM_ABS 0x00u
#define TTM_REL 0x01u

typedef struct t_ralm {
	VP exinf;
	ALMTIME lfttim;
} T_RALM;

ER set_tim(SYSTIME *pk_tim);
ER get_tim(SYSTIME *pk_tim);
ER dly_tsk(DLYTIME dlytim);
ER def_cyc(HNO cycno, T_DCYC *pk_dcyc);
ER act_cyc(HNO cycno, UINT cycact);
ER ref_cyc(T_RCYC *pk_rcyc, HNO cycno);
ER def_alm(HNO almno, T_DALM *pk_dalm);
ER ref_alm(T_RALM *pk_ralm, HNO almno);
void ret_tmr(void) __attribute__((noreturn));

/* System. */
typedef struct t_ver {
	UH maker;
	UH id;
	UH spver;
	UH prver;
	UH prno[4];
	UH cpu;
	UH var;
} T_VER;

typedef struct t_rsys {
	INT sysstat;
	ID runtskid; /* of this implementation: the task that runs; 0: none of this interface */
} T_RSYS;

#define TSS_TSK  0
#define TSS_DDSP 1
#define TSS_LOC  3
#define TSS_INDP 4

/* All members are of this implementation. */
typedef struct t_rcfg {
	ID maxid;    /* the greatest ID, of any type */
	PRI maxtpri; /* the lowest priority */
	UINT tick;   /* us of a unit of time */
} T_RCFG;

/* An extended SVC is called by cal_svc() of uitron/extend.h. */
typedef struct t_dsvc {
	ATR svcatr;
	FP svchdr;
} T_DSVC;

/* exckind: SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGTRAP of <signal.h>. The handler gets exckind. It
 * runs in the task that caused the exception, in secondary mode. */
typedef struct t_dexc {
	ATR excatr;
	FP exchdr;
} T_DEXC;

ER get_ver(T_VER *pk_ver);
ER ref_sys(T_RSYS *pk_rsys);
ER ref_cfg(T_RCFG *pk_rcfg);
ER def_svc(FN s_fncd, T_DSVC *pk_dsvc);
ER def_exc(UINT exckind, T_DEXC *pk_dexc);

#ifdef __cplusplus
}
#endif

#endif
