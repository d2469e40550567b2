/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The system calls of pSOS+ 2.x, on Tactus.
 *
 * Each call returns 0, or one of the codes below; what each call returns, and for which cause, is
 * in docs/reference/skins/psos.md. What holds for all calls:
 *
 * - A name is four bytes, or fewer up to the first zero. Names need not be unique.
 * - A task, a queue and so on has an id, which fits 31 bits. The id of a deleted object is
 *   ERR_OBJDEL, that of an object of another type ERR_OBJTYPE, and any other number ERR_OBJID.
 *   The task with id 0 is the calling task. The region with id 0 always exists.
 * - NULL may be passed for a result that is not wanted, and for a message that is to be dropped.
 * - ERR_SSFN is the answer where the manual of pSOS+ has no code: to a call that its caller may not
 *   make (a handler that would have to wait, a thread that is no task), to NULL in place of a name
 *   that is searched, a function or a message, and to flags that do not exist. The same holds for
 *   all calls if Tactus cannot be started.
 * - Times are in ticks of the clock of psoscfg.h, 100 a second unless the program says otherwise. A
 *   wait of n ticks ends with the n-th tick from now.
 * - Context: "any" is also a handler of Tactus (of a timer or an interrupt), in the place of an
 * ISR.
 * - There is one node. The flags for several nodes (GLOBAL) have no effect, as in the pSOS+ kernel
 *   for one processor.
 */
#ifndef TACTUS_PSOS_H
#define TACTUS_PSOS_H

#include <sys/types.h> /* u_long, which programs for Xenomai expect */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define SUCCESS 0

/* Attributes of t_create(). */
#define T_LOCAL  0x0000
#define T_GLOBAL 0x0001
#define T_NOFPU  0x0000 /* every task may use the floating-point unit */
#define T_FPU    0x0002

/* Modes of t_start(), t_mode() and as_catch(). */
#define T_PREEMPT    0x0000
#define T_NOPREEMPT  0x0001
#define T_NOTSLICE   0x0000
#define T_TSLICE     0x0002
#define T_ASR        0x0000
#define T_NOASR      0x0004
#define T_USER       0x0000 /* there is one mode of the processor; both have no effect */
#define T_SUPV       0x2000
#define T_ISR        0x0000
#define T_NOISR      0x0700 /* handlers do not run meanwhile, whatever the level */
#define T_LEVELMASK0 0x0000
#define T_LEVELMASK1 0x0100
#define T_LEVELMASK2 0x0200
#define T_LEVELMASK3 0x0300
#define T_LEVELMASK4 0x0400
#define T_LEVELMASK5 0x0500
#define T_LEVELMASK6 0x0600
#define T_LEVELMASK7 0x0700

#define EV_WAIT   0x0000
#define EV_NOWAIT 0x0001
#define EV_ALL    0x0000
#define EV_ANY    0x0002

#define Q_LOCAL   0x0000
#define Q_GLOBAL  0x0001
#define Q_FIFO    0x0000
#define Q_PRIOR   0x0002
#define Q_NOLIMIT 0x0000
#define Q_LIMIT   0x0004
#define Q_SYSBUF  0x0000
#define Q_PRIBUF  0x0008
#define Q_WAIT    0x0000
#define Q_NOWAIT  0x0001

#define SM_LOCAL  0x0000
#define SM_GLOBAL 0x0001
#define SM_FIFO   0x0000
#define SM_PRIOR  0x0002
#define SM_WAIT   0x0000
#define SM_NOWAIT 0x0001

#define PT_LOCAL  0x0000
#define PT_GLOBAL 0x0001
#define PT_NODEL  0x0000
#define PT_DEL    0x0004

#define RN_FIFO   0x0000
#define RN_PRIOR  0x0002
#define RN_NODEL  0x0000
#define RN_DEL    0x0004
#define RN_WAIT   0x0000
#define RN_NOWAIT 0x0001

#define K_LOCAL  0x0000
#define K_GLOBAL 0x0001

/* Codes. */
#define ERR_TIMEOUT  0x01
#define ERR_SSFN     0x03
#define ERR_NODENO   0x04
#define ERR_OBJDEL   0x05
#define ERR_OBJID    0x06
#define ERR_OBJTYPE  0x07
#define ERR_OBJTFULL 0x08
#define ERR_OBJNF    0x09
#define ERR_RSTFS    0x0D
#define ERR_NOTCB    0x0E
#define ERR_NOSTK    0x0F
#define ERR_TINYSTK  0x10
#define ERR_PRIOR    0x11
#define ERR_ACTIVE   0x12
#define ERR_NACTIVE  0x13
#define ERR_SUSP     0x14
#define ERR_NOTSUSP  0x15
#define ERR_SETPRI   0x16
#define ERR_REGNUM   0x17
#define ERR_DELFS    0x18
#define ERR_DELLC    0x19
#define ERR_DELNS    0x1A
#define ERR_RNADDR   0x1B
#define ERR_UNITSIZE 0x1C
#define ERR_TINYUNIT 0x1D
#define ERR_TINYRN   0x1E
#define ERR_SEGINUSE 0x1F
#define ERR_ZERO     0x20
#define ERR_TOOBIG   0x21
#define ERR_NOSEG    0x22
#define ERR_NOTINRN  0x23
#define ERR_SEGADDR  0x24
#define ERR_SEGFREE  0x25
#define ERR_RNKILLD  0x26
#define ERR_TATRNDEL 0x27
#define ERR_PTADDR   0x28
#define ERR_BUFSIZE  0x29
#define ERR_TINYPT   0x2A
#define ERR_BUFINUSE 0x2B
#define ERR_NOBUF    0x2C
#define ERR_BUFADDR  0x2D
#define ERR_BUFFREE  0x2F
#define ERR_KISIZE   0x30
#define ERR_MSGSIZ   0x31
#define ERR_BUFSIZ   0x32
#define ERR_NOQCB    0x33
#define ERR_NOMGB    0x34
#define ERR_QFULL    0x35
#define ERR_QKILLD   0x36
#define ERR_NOMSG    0x37
#define ERR_TATQDEL  0x38
#define ERR_MATQDEL  0x39
#define ERR_VARQ     0x3A
#define ERR_NOTVARQ  0x3B
#define ERR_NOEVS    0x3C
#define ERR_NOTINASR 0x3E
#define ERR_NOASR    0x3F
#define ERR_NOSCB    0x41
#define ERR_NOSEM    0x42
#define ERR_SKILLD   0x43
#define ERR_TATSDEL  0x44
#define ERR_NOTIME   0x47
#define ERR_ILLDATE  0x48
#define ERR_ILLTIME  0x49
#define ERR_ILLTICKS 0x4A
#define ERR_NOTIMERS 0x4B
#define ERR_BADTMID  0x4C
#define ERR_TMNOTSET 0x4D
#define ERR_TOOLATE  0x4E
#define ERR_ILLRSC   0x53
#define ERR_NOAGNT   0x54
#define ERR_STALEID  0x65
#define ERR_NDKLD    0x66
#define ERR_IODN     0x101
#define ERR_NODR     0x102
#define ERR_IOOP     0x103

/*
 * A function of the program: the entry of a task, which gets four words, or an asynchronous signal
 * routine, which gets the signals. A function with fewer parameters fits, too. In C++ and in C23,
 * which have no functions of unknown parameters, the types are exact.
 */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
typedef void (*psos_entry_t)(unsigned long, unsigned long, unsigned long, unsigned long);
typedef void (*psos_asr_t)(unsigned long signals);
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
typedef void (*psos_entry_t)();
typedef void (*psos_asr_t)();
#pragma GCC diagnostic pop
#endif

/* Tasks. Priorities are 1 (lowest) to 255. */

/* Create a task, which is dormant until t_start(). sstack, ustack: bytes of stack, together; it is
 * never less than 64 KiB. Context: task, main(). */
unsigned long t_create(const char *name, unsigned long prio, unsigned long sstack,
		       unsigned long ustack, unsigned long flags, unsigned long *tid);
/* Start a task in a mode. targs: four words, copied; NULL: zeros. A task that returns from its
 * entry is deleted. Context: task, main(). */
unsigned long t_start(unsigned long tid, unsigned long mode, psos_entry_t start_addr,
		      unsigned long targs[]);
/* Let a task begin anew at its entry, with the priority and the mode that it had first, without
 * pending events, signals and timers. targs: NULL: zeros. Context: task, main(). */
unsigned long t_restart(unsigned long tid, unsigned long targs[]);
/* Delete a task with its timers. A call for the calling task does not return. Context: task,
 * main(). */
unsigned long t_delete(unsigned long tid);
/* Suspend a task; a wait goes on meanwhile. Context: any. */
unsigned long t_suspend(unsigned long tid);
/* Context: any. */
unsigned long t_resume(unsigned long tid);
/* Change the priority; newprio 0 only reads it. Context: task, main(). */
unsigned long t_setpri(unsigned long tid, unsigned long newprio, unsigned long *oldprio);
/* Change the attributes in mask of the calling task's mode. Context: task. */
unsigned long t_mode(unsigned long mask, unsigned long new_mode, unsigned long *old_mode);
/* Find a task by its name; NULL and "": the calling task. Context: any. */
unsigned long t_ident(const char *name, unsigned long node, unsigned long *tid);
/* Read and write a register of a task's notepad, 0 … 15. Context: any. */
unsigned long t_getreg(unsigned long tid, unsigned long regnum, unsigned long *reg_value);
unsigned long t_setreg(unsigned long tid, unsigned long regnum, unsigned long reg_value);
/* Of Xenomai 2: make the calling thread a task. Context: a thread, main(). */
unsigned long t_shadow(const char *name, unsigned long prio, unsigned long flags,
		       unsigned long *tid);

/* Events. */

/* Wait for some or all of the events. Those that are there are taken when the call begins, and each
 * of the others when it is sent, once. events 0: only read what is pending. events_r: those taken,
 * also if the call fails. Context: task. */
unsigned long ev_receive(unsigned long events, unsigned long flags, unsigned long timeout,
			 unsigned long *events_r);
/* Send events to a task. Context: any. */
unsigned long ev_send(unsigned long tid, unsigned long events);
/* For several nodes: ERR_SSFN here. Context: any. */
unsigned long ev_asend(unsigned long tid, unsigned long events);

/* Asynchronous signals. */

/* Set the routine that the calling task runs when signals are sent to it, and the mode in which it
 * runs it; NULL: none. Context: task. */
unsigned long as_catch(psos_asr_t start_addr, unsigned long mode);
/* Send signals, bits 0 … 31. Context: any. */
unsigned long as_send(unsigned long tid, unsigned long signals);
/* Leave the routine. A return from it does the same. Context: task. */
unsigned long as_return(void);

/* Queues of messages of four words. Messages are never cut to 32 bits. */

/* count: most messages, with Q_LIMIT. Without it a queue has kc_nmsgbuf buffers (psoscfg.h). With a
 * limit of 0 a message is only taken for a task that waits. Context: task, main(). */
unsigned long q_create(const char *name, unsigned long count, unsigned long flags,
		       unsigned long *qid);
/* Context: task, main(). */
unsigned long q_delete(unsigned long qid);
/* Find a queue of either kind by its name. Context: any. */
unsigned long q_ident(const char *name, unsigned long node, unsigned long *qid);
/* Context: task, main(); any with Q_NOWAIT. */
unsigned long q_receive(unsigned long qid, unsigned long flags, unsigned long timeout,
			unsigned long msg_buf[]);
/* Send behind, or before, the messages that are there. Context: any. */
unsigned long q_send(unsigned long qid, unsigned long msg_buf[]);
unsigned long q_urgent(unsigned long qid, unsigned long msg_buf[]);
/* Send to all tasks that wait now. count: how many. Context: any. */
unsigned long q_broadcast(unsigned long qid, unsigned long msg_buf[], unsigned long *count);
/* For several nodes: ERR_SSFN here. Context: any. */
unsigned long q_asend(unsigned long qid, unsigned long msg_buf[]);
unsigned long q_aurgent(unsigned long qid, unsigned long msg_buf[]);

/* Queues of messages of variable length. */

/* maxnum: most messages; maxlen: longest one, in bytes. Context: task, main(). */
unsigned long q_vcreate(const char *name, unsigned long flags, unsigned long maxnum,
			unsigned long maxlen, unsigned long *qid);
unsigned long q_vdelete(unsigned long qid);
unsigned long q_vident(const char *name, unsigned long node, unsigned long *qid);
/* buf_len: of msg_buf, at least the longest message. msg_len: of the message. */
unsigned long q_vreceive(unsigned long qid, unsigned long flags, unsigned long timeout,
			 void *msg_buf, unsigned long buf_len, unsigned long *msg_len);
unsigned long q_vsend(unsigned long qid, void *msg_buf, unsigned long msg_len);
unsigned long q_vurgent(unsigned long qid, void *msg_buf, unsigned long msg_len);
unsigned long q_vbroadcast(unsigned long qid, void *msg_buf, unsigned long msg_len,
			   unsigned long *count);
unsigned long q_avsend(unsigned long qid, void *msg_buf, unsigned long msg_len);
unsigned long q_avurgent(unsigned long qid, void *msg_buf, unsigned long msg_len);

/* Semaphores. */

/* Context: task, main(). */
unsigned long sm_create(const char *name, unsigned long count, unsigned long flags,
			unsigned long *smid);
unsigned long sm_delete(unsigned long smid);
/* Context: any. */
unsigned long sm_ident(const char *name, unsigned long node, unsigned long *smid);
/* Context: task, main(); any with SM_NOWAIT. */
unsigned long sm_p(unsigned long smid, unsigned long flags, unsigned long timeout);
/* Context: any. */
unsigned long sm_v(unsigned long smid);
unsigned long sm_av(unsigned long smid);

/* Partitions: buffers of one size, in memory of the program. */

/* paddr: memory of length bytes; laddr is for processors with an MMU and not used. bsize: of a
 * buffer, a power of two. nbuf: how many there are. The partition takes some of the memory for
 * itself, and buffers start at multiples of 16. Context: task, main(). */
unsigned long pt_create(const char *name, void *paddr, void *laddr, unsigned long length,
			unsigned long bsize, unsigned long flags, unsigned long *ptid,
			unsigned long *nbuf);
unsigned long pt_delete(unsigned long ptid);
/* Context: any. */
unsigned long pt_ident(const char *name, unsigned long node, unsigned long *ptid);
unsigned long pt_getbuf(unsigned long ptid, void **bufaddr);
/* The same, with both addresses of the buffer, which are one here. */
unsigned long pt_sgetbuf(unsigned long ptid, void **paddr, void **laddr);
unsigned long pt_retbuf(unsigned long ptid, void *bufaddr);

/* Regions: segments of any size, in memory of the program. */

/* saddr: memory of length bytes, of which the region takes some for itself. unit_size: segments are
 * multiples of it; a power of two, at least 16. asiz: largest segment. Context: task, main(). */
unsigned long rn_create(const char *name, void *saddr, unsigned long length,
			unsigned long unit_size, unsigned long flags, unsigned long *rnid,
			unsigned long *asiz);
unsigned long rn_delete(unsigned long rnid);
/* Context: any. */
unsigned long rn_ident(const char *name, unsigned long *rnid);
/* Context: task, main(); any with RN_NOWAIT. */
unsigned long rn_getseg(unsigned long rnid, unsigned long size, unsigned long flags,
			unsigned long timeout, void **seg_addr);
/* Context: any. */
unsigned long rn_retseg(unsigned long rnid, void *seg_addr);

/* Time. Dates are year << 16 | month << 8 | day, from 1970 to 2200; times are hour << 16 | minute
 * << 8 | second; ticks are those since the last second. */

/* Set and read the calendar of the program; the clock of the machine stays. Context: task, main();
 * tm_get(): any. */
unsigned long tm_set(unsigned long date, unsigned long time, unsigned long ticks);
unsigned long tm_get(unsigned long *date, unsigned long *time, unsigned long *ticks);
/* Sleep; 0 ticks let the other tasks of the same priority run. Context: task, main(). */
unsigned long tm_wkafter(unsigned long ticks);
unsigned long tm_wkwhen(unsigned long date, unsigned long time, unsigned long ticks);
/* Arm a timer that sends events to the calling task: once, each so many ticks, at a date. Context:
 * task. */
unsigned long tm_evafter(unsigned long ticks, unsigned long events, unsigned long *tmid);
unsigned long tm_evevery(unsigned long ticks, unsigned long events, unsigned long *tmid);
unsigned long tm_evwhen(unsigned long date, unsigned long time, unsigned long ticks,
			unsigned long events, unsigned long *tmid);
/* Context: any. */
unsigned long tm_cancel(unsigned long tmid);
/* Of Xenomai: the clock since the start of the machine, in ns and in ticks. Context: any. */
unsigned long tm_getm(unsigned long long *ns);
unsigned long tm_getc(unsigned long long *ticks);
/* These have no counterpart. */
unsigned long tm_tick(void)
	__attribute__((error("the clock of Tactus ticks by itself: leave tm_tick() out")));
unsigned long tm_signal(unsigned long value, unsigned long interval, int signo, unsigned long *tmid)
	__attribute__((error("use tm_evafter(), tm_evevery() or timer_create()")));

/* End the program: call kc_fatal of psoscfg.h; if there is none or it returns, abort(). Context:
 * task, main(). */
void k_fatal(unsigned long err_code, unsigned long flags) __attribute__((noreturn));

/* The begin and the end of an ISR, which is a handler of Tactus here. */
#define i_enter()  ((void)0)
#define i_return() return

/* Devices: call a function of the driver of the upper 16 bits of dev (psoscfg.h). The function gets
 * the arguments, and gives retval back, in a struct ioparms; its own code is the call's. Context:
 * as the driver's function. */
unsigned long de_init(unsigned long dev, void *iopb, void *retval, void **data_area);
unsigned long de_open(unsigned long dev, void *iopb, void *retval);
unsigned long de_close(unsigned long dev, void *iopb, void *retval);
unsigned long de_read(unsigned long dev, void *iopb, void *retval);
unsigned long de_write(unsigned long dev, void *iopb, void *retval);
unsigned long de_cntrl(unsigned long dev, void *iopb, void *retval);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
