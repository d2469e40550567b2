/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * VRTX32 and VRTXsa: tasks, mailboxes, queues, semaphores, event flags, mutexes, partitions, heaps
 * and the clock. docs/reference/skins/vrtx.md says of each call what it does, its errors and who
 * may call it.
 *
 * errp receives RET_OK or the code of the error; NULL is allowed. Times are in ticks, of 10 ms if
 * sc_sclock() does not say otherwise; a timeout of 0 or less has no limit.
 */
#ifndef VRTX_VRTX_H
#define VRTX_VRTX_H

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Codes. */
#define RET_OK  0x00
#define ER_TID  0x01
#define ER_TCB  0x02
#define ER_MEM  0x03
#define ER_NMB  0x04
#define ER_MIU  0x05
#define ER_ZMW  0x06
#define ER_BUF  0x07
#define ER_TMO  0x0A
#define ER_NMP  0x0B
#define ER_QID  0x0C
#define ER_QFL  0x0D
#define ER_PID  0x0E
#define ER_IIP  0x12
#define ER_NOCB 0x30
#define ER_ID   0x31
#define ER_PND  0x32
#define ER_DEL  0x33
#define ER_OVF  0x34

/* Codes of this implementation: those of Xenomai 2, which are -EPERM and -EINTR. */
#define VRTX_NOT_HERE (-1) /* the caller may not make this call, or would have to wait */
#define VRTX_BROKEN   (-4) /* tact_task_unblock() ended the wait */

/* The status of a task. */
#define TBSSUSP   0x0001
#define TBSMBOX   0x0002
#define TBSPUTC   0x0008
#define TBSDELAY  0x0020
#define TBSQUEUE  0x0040
#define TBSIDLE   0x0100
#define TBSFLAG   0x0200
#define TBSSEMA   0x0400
#define TBSMUTEX  0x0800
#define TBSADELAY 0x8000

/* The members of a time. */
#define seconds     tv_sec
#define nanoseconds tv_nsec

typedef struct _TCB {
	int TCBSTAT;
} TCB;

/* Tasks. The priority is 0 (the most urgent) to 255, a number 1 to 255; 0 is the caller. */
int sc_tcreate(void (*entry)(void *), int tid, int prio, int *errp);
int sc_tecreate(void (*entry)(void *), int tid, int prio, int mode, unsigned long user,
		unsigned long sys, char *paddr, unsigned long psize, int *errp);
void sc_tdelete(int tid, int opt, int *errp);
TCB *sc_tinquiry(int pinfo[], int tid, int *errp);
void sc_tpriority(int tid, int prio, int *errp);
void sc_tresume(int tid, int opt, int *errp);
void sc_tslice(unsigned short ticks);
void sc_tsuspend(int tid, int opt, int *errp);
void sc_lock(void);
void sc_unlock(void);

/* Mailboxes: words of the program, empty while they are 0. */
void sc_post(char **mboxp, char *msg, int *errp);
char *sc_pend(char **mboxp, long timeout, int *errp);
char *sc_accept(char **mboxp, int *errp);

/* Queues. */
int sc_qcreate(int qid, int qsize, int *errp);
int sc_qecreate(int qid, int qsize, int opt, int *errp);
void sc_qdelete(int qid, int opt, int *errp);
void sc_qpost(int qid, char *msg, int *errp);
void sc_qjam(int qid, char *msg, int *errp);
void sc_qbrdcst(int qid, char *msg, int *errp);
char *sc_qpend(int qid, long timeout, int *errp);
char *sc_qaccept(int qid, int *errp);
char *sc_qinquiry(int qid, int *countp, int *errp);

/* Semaphores. */
int sc_screate(unsigned initval, int opt, int *errp);
void sc_sdelete(int semid, int opt, int *errp);
void sc_spend(int semid, long timeout, int *errp);
void sc_saccept(int semid, int *errp);
void sc_spost(int semid, int *errp);
int sc_sinquiry(int semid, int *errp);

/* Event flags. */
int sc_fcreate(int *errp);
void sc_fdelete(int fid, int opt, int *errp);
void sc_fpost(int fid, int mask, int *errp);
int sc_fpend(int fid, long timeout, int mask, int opt, int *errp);
int sc_fclear(int fid, int mask, int *errp);
int sc_finquiry(int fid, int *errp);

/* Mutexes. */
int sc_mcreate(unsigned int opt, int *errp);
void sc_mdelete(int mid, int opt, int *errp);
void sc_mpend(int mid, unsigned long timeout, int *errp);
void sc_maccept(int mid, int *errp);
void sc_mpost(int mid, int *errp);
int sc_minquiry(int mid, int *errp);

/* Partitions of blocks. */
int sc_pcreate(int pid, char *paddr, long psize, long bsize, int *errp);
void sc_pdelete(int pid, int opt, int *errp);
void sc_pextend(int pid, char *eaddr, long esize, int *errp);
void sc_pinquiry(unsigned long info[3], int pid, int *errp);
char *sc_gblock(int pid, int *errp);
void sc_rblock(int pid, char *blockp, int *errp);

/* Heaps; number 0 is there from the start. */
int sc_hcreate(char *heapaddr, unsigned long heapsize, unsigned log2psize, int *errp);
void sc_hdelete(int hid, int opt, int *errp);
char *sc_halloc(int hid, unsigned long size, int *errp);
void sc_hfree(int hid, char *block, int *errp);
void sc_hinquiry(int info[3], int hid, int *errp);

/* The clock. */
void sc_delay(long timeout);
void sc_adelay(struct timespec time, int *errp);
void sc_stime(unsigned long ticks);
unsigned long sc_gtime(void);
void sc_gclock(struct timespec *timep, unsigned long *nsp, int *errp);
void sc_sclock(struct timespec time, unsigned long ns, int *errp);
void ui_timer(void);

/* The console, and the version. */
void sc_putc(int c);
int sc_gversion(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
