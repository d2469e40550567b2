/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The configuration of pSOS+ and the table of device drivers.
 *
 * A program needs no configuration. If it has one, it defines psos_config, and each member that is
 * 0 has its default value. PSOS_CONFIG_OF_SYS_CONF takes the values of the program's sys_conf.h:
 *
 *	#include "sys_conf.h"
 *	#include <psoscfg.h>
 *	const pSOS_CT psos_config = PSOS_CONFIG_OF_SYS_CONF;
 *
 * Members of pSOS+'s table that are not here have no meaning on Tactus.
 */
#ifndef TACTUS_PSOSCFG_H
#define TACTUS_PSOSCFG_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What a function of a driver gets, and where it puts its results. */
struct ioparms {
	unsigned long used; /* not read */
	unsigned long tid;  /* of the calling task; 0: the caller is no task */
	unsigned long in_dev;
	unsigned long status; /* 0 */
	void *in_iopb;
	void *io_data_area; /* of de_init(): what data_area points to receives it */
	unsigned long err;  /* 0, or the code that the call returns */
	unsigned long out_retval;
};

/* A driver. A function that is NULL has nothing to do, and its call succeeds. A driver without any
 * function, or with (void (*)(struct ioparms *))-1 in place of the one that is called, is none:
 * ERR_NODR. */
struct pSOS_IO_Jump_Table {
	void (*dev_init)(struct ioparms *);
	void (*dev_open)(struct ioparms *);
	void (*dev_close)(struct ioparms *);
	void (*dev_read)(struct ioparms *);
	void (*dev_write)(struct ioparms *);
	void (*dev_ioctl)(struct ioparms *);
	unsigned long rsvd1;
	unsigned short rsvd2;
	unsigned short flags; /* IO_AUTOINIT: dev_init is called before the root function */
};
#define IO_AUTOINIT 0x0001

typedef struct pSOSConfigTable {
	void *kc_rn0sadr;          /* memory of region 0, aligned to 16; NULL: some is allocated */
	unsigned long kc_rn0len;   /* its bytes, at least 8192; default 1 MiB */
	unsigned long kc_rn0usize; /* its unit, a power of two from 16 on; default 256 */
	/* Most objects: of each type, and of all types together. Default: no limit. */
	unsigned long kc_ntask;
	unsigned long kc_nqueue;
	unsigned long kc_nsema4;
	unsigned long kc_ntimer;
	unsigned long kc_nlocobj;
	unsigned long kc_nmsgbuf;     /* buffers of each queue without a limit; default 1000 */
	unsigned long kc_ticks2sec;   /* ticks in a second, 1 … 1000000; default 100 */
	unsigned long kc_ticks2slice; /* ticks of a time slice; default 10 */
	unsigned long kc_nio;         /* entries of kc_iojtable */
	struct pSOS_IO_Jump_Table *kc_iojtable; /* NULL: the one of InstallDriver() */
	unsigned long kc_rootsstk;              /* the task of the root function */
	unsigned long kc_rootustk;
	unsigned long kc_rootmode;
	unsigned long kc_rootpri; /* default 230 */
	void (*kc_fatal)(unsigned long err_code);
} pSOS_CT;

/* Defined by the program, if it wants to. */
extern const pSOS_CT psos_config;

#define PSOS_CONFIG_OF_SYS_CONF                                                           \
	{                                                                                 \
		.kc_rn0usize = KC_RN0USIZE, .kc_ntask = KC_NTASK, .kc_nqueue = KC_NQUEUE, \
		.kc_nsema4 = KC_NSEMA4, .kc_ntimer = KC_NTIMER, .kc_nlocobj = KC_NLOCOBJ, \
		.kc_nmsgbuf = KC_NMSGBUF, .kc_ticks2sec = KC_TICKS2SEC,                   \
		.kc_ticks2slice = KC_TICKS2SLICE, .kc_rootsstk = KC_ROOTSSTK,             \
		.kc_rootustk = KC_ROOTUSTK, .kc_rootmode = KC_ROOTMODE,                   \
	}

/* Most drivers of InstallDriver(). */
#define PSOS_DRIVERS 64

/* Enter a driver into the table that is used if kc_iojtable is NULL. The entry of a number above
 * PSOS_DRIVERS - 1, and any entry beside a table of kc_iojtable, is dropped with a line on the
 * standard error output. Context: main(), task. */
void InstallDriver(unsigned short major_number, void (*dev_init)(struct ioparms *),
		   void (*dev_open)(struct ioparms *), void (*dev_close)(struct ioparms *),
		   void (*dev_read)(struct ioparms *), void (*dev_write)(struct ioparms *),
		   void (*dev_ioctl)(struct ioparms *), unsigned long rsvd1, unsigned short rsvd2,
		   unsigned short flags);

/*
 * Start pSOS+: the drivers with IO_AUTOINIT, then the root function in the task ROOT, which has
 * priority kc_rootpri. Returns 0 when no task is left, or the code of t_create() or t_start(). A
 * program that defines root() and no main() needs no such call: the library has that main().
 * Context: main().
 */
unsigned long psos_run(void (*root)(void));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
