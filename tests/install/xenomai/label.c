/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program of the native API whose user interface reads and writes a real-time socket by the file
 * that Xenomai's registry has for its label: its open() is the C library's, its socket is not. */
#include <alchemy/task.h>
#include <rtdm/ipc.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_OF_LABEL "/proc/xenomai/registry/rtipc/xddp/of-the-install-test"

int main(void)
{
	const struct rtipc_port_label label = {"of-the-install-test"};
	struct sockaddr_ipc any = {.sipc_family = AF_RTIPC, .sipc_port = -1};
	char bytes[8] = "";
	RT_TASK task;
	int fd, file;

	if (rt_task_shadow(&task, NULL, 10, 0))
		return 1;
	fd = __RT(socket(AF_RTIPC, SOCK_DGRAM, IPCPROTO_XDDP));
	if (fd < 0 || __RT(setsockopt(fd, SOL_XDDP, XDDP_LABEL, &label, sizeof(label))) ||
	    __RT(bind(fd, (struct sockaddr *)&any, sizeof(any))))
		return 2;
	if (access("/dev/fuse", R_OK | W_OK)) {
		puts("no files here");
		return 0;
	}
	file = open(FILE_OF_LABEL, O_RDWR | O_NONBLOCK);
	if (file < 0) {
		perror(FILE_OF_LABEL);
		return 3;
	}
	if (write(file, "there", 6) != 6 || __RT(recvfrom(fd, bytes, 6, 0, NULL, NULL)) != 6 ||
	    strcmp(bytes, "there"))
		return 4;
	/* Other files are Linux's. */
	if (open("/none", O_RDONLY) != -1 || close(open("label.txt", O_CREAT | O_WRONLY, 0600)) ||
	    access("label.txt", R_OK))
		return 5;
	puts("there");
	return 0;
}
