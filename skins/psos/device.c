/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of the program's device drivers, and the end of a program by k_fatal(). */
#include "psos_task.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*driver_t)(struct ioparms *);

static struct pSOS_IO_Jump_Table installed[PSOS_DRIVERS];

void InstallDriver(unsigned short major_number, void (*dev_init)(struct ioparms *),
		   void (*dev_open)(struct ioparms *), void (*dev_close)(struct ioparms *),
		   void (*dev_read)(struct ioparms *), void (*dev_write)(struct ioparms *),
		   void (*dev_ioctl)(struct ioparms *), unsigned long rsvd1, unsigned short rsvd2,
		   unsigned short flags)
{
	if (major_number >= PSOS_DRIVERS) {
		fprintf(stderr, "psos: InstallDriver(): the number %u is above %d\n", major_number,
			PSOS_DRIVERS - 1);
		return;
	}
	if (psos_configured()->kc_iojtable) {
		fprintf(stderr,
			"psos: InstallDriver(): driver %u is not entered, because kc_iojtable "
			"names "
			"another table: enter it there, or let kc_iojtable be NULL\n",
			major_number);
		return;
	}
	installed[major_number] = (struct pSOS_IO_Jump_Table){
		dev_init, dev_open, dev_close, dev_read, dev_write, dev_ioctl, rsvd1, rsvd2, flags};
}

static unsigned long drivers(const struct pSOS_IO_Jump_Table **table)
{
	const pSOS_CT *config = psos_configured();

	*table = config->kc_iojtable ? config->kc_iojtable : installed;
	return config->kc_iojtable ? config->kc_nio : PSOS_DRIVERS;
}

static bool is_none(driver_t function)
{
	return !function || function == (driver_t)-1;
}

static bool is_driver(const struct pSOS_IO_Jump_Table *entry)
{
	return !is_none(entry->dev_init) || !is_none(entry->dev_open) ||
	       !is_none(entry->dev_close) || !is_none(entry->dev_read) ||
	       !is_none(entry->dev_write) || !is_none(entry->dev_ioctl);
}

/* The six calls differ in the member of the entry: its offset. data_area: of de_init(), or NULL. */
static unsigned long call(size_t member, unsigned long dev, void *iopb, unsigned long *retval,
			  void **data_area)
{
	const struct pSOS_IO_Jump_Table *table;
	const unsigned long major = dev >> 16;
	const struct runtime_record *self = psos_task_current();
	struct ioparms parms = {.tid = self ? runtime_id(self) : 0, .in_dev = dev, .in_iopb = iopb};
	driver_t function;

	if (major >= drivers(&table))
		return ERR_IODN;
	function = *(const driver_t *)((const char *)&table[major] + member);
	if (!is_driver(&table[major]) || function == (driver_t)-1)
		return ERR_NODR;
	if (function)
		function(&parms);
	psos_give(retval, parms.out_retval);
	if (data_area)
		*data_area = parms.io_data_area;
	return parms.err;
}

void psos_devices_init(void)
{
	const struct pSOS_IO_Jump_Table *table;
	const unsigned long number = drivers(&table);

	for (unsigned long i = 0; i < number; i++)
		if (table[i].flags & IO_AUTOINIT && !is_none(table[i].dev_init))
			(void)de_init(i << 16, NULL, NULL, NULL);
}

unsigned long de_init(unsigned long dev, void *iopb, void *retval, void **data_area)
{
	return call(offsetof(struct pSOS_IO_Jump_Table, dev_init), dev, iopb, retval, data_area);
}

#define DEVICE_CALL(NAME, MEMBER)                                                                  \
	unsigned long NAME(unsigned long dev, void *iopb, void *retval)                            \
	{                                                                                          \
		return call(offsetof(struct pSOS_IO_Jump_Table, MEMBER), dev, iopb, retval, NULL); \
	}

DEVICE_CALL(de_open, dev_open)
DEVICE_CALL(de_close, dev_close)
DEVICE_CALL(de_read, dev_read)
DEVICE_CALL(de_write, dev_write)
DEVICE_CALL(de_cntrl, dev_ioctl)

void k_fatal(unsigned long err_code, unsigned long flags)
{
	const pSOS_CT *config = psos_configured();

	(void)flags;
	if (config->kc_fatal)
		config->kc_fatal(err_code);
	(void)fflush(stdout);
	fprintf(stderr, "psos: k_fatal(): error 0x%lx\n", err_code);
	abort();
}
