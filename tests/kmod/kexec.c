/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts another kernel at once, without the firmware: kexec KERNEL COMMAND-LINE. Does not
 * return. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cases.h"

int case_kexec(int count, char **words)
{
	int kernel = count > 2 ? open(words[1], O_RDONLY) : -1;

	if (kernel < 0)
		return 2;
	if (syscall(SYS_kexec_file_load, kernel, -1, strlen(words[2]) + 1, words[2],
		    KEXEC_FILE_NO_INITRAMFS)) {
		check(false, "kexec: load: %s", strerror(errno));
		return 1;
	}
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
	check(false, "kexec: %s", strerror(errno));
	return 1;
}
