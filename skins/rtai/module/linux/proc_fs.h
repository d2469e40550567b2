/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc: not here. CONFIG_PROC_FS is not defined. */
#ifndef TACTUS_RTAI_LINUX_PROC_FS_H
#define TACTUS_RTAI_LINUX_PROC_FS_H

#include <linux/types.h>

struct proc_dir_entry;
#define RTAI_NO_PROC \
	"modules have no files in /proc here: use a FIFO, and tactus rtai lsmod and tactus ps"
struct proc_dir_entry *create_proc_entry(const char *name, mode_t mode,
					 struct proc_dir_entry *parent)
	TACTUS_RTAI_REFUSED(RTAI_NO_PROC);
struct proc_dir_entry *create_proc_read_entry(const char *name, mode_t mode,
					      struct proc_dir_entry *parent, void *read, void *data)
	TACTUS_RTAI_REFUSED(RTAI_NO_PROC);
struct proc_dir_entry *proc_mkdir(const char *name, struct proc_dir_entry *parent)
	TACTUS_RTAI_REFUSED(RTAI_NO_PROC);
struct proc_dir_entry *proc_create(const char *name, mode_t mode, struct proc_dir_entry *parent,
				   const void *operations) TACTUS_RTAI_REFUSED(RTAI_NO_PROC);
void remove_proc_entry(const char *name, struct proc_dir_entry *parent)
	TACTUS_RTAI_REFUSED(RTAI_NO_PROC);

#endif
