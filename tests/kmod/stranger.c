/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE
#include "stranger.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/bare.h"

#define HUGE   (2u << 20)
#define NOBODY 65534

void stranger_prepare(void)
{
	FILE *pages = fopen("/proc/sys/vm/nr_hugepages", "w");

	if (!pages)
		return;
	fputs("8", pages);
	fclose(pages);
}

union passed {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static int take_file(int from)
{
	char byte;
	union passed passed;
	struct iovec data = {&byte, 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &passed,
				 .msg_controllen = sizeof(passed)};
	int file = -1;

	if (recvmsg(from, &message, 0) == 1 && message.msg_controllen == sizeof(passed))
		memcpy(&file, CMSG_DATA(&passed.header), sizeof(file));
	return file;
}

int stranger_begin(struct chance *chance, void (*act)(struct chance *chance, int device))
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};
	int ends[2], device;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return -1;
	child = fork();
	if (child) {
		close(ends[1]);
		if (child > 0)
			return ends[0];
		close(ends[0]);
		return -1;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(ends[0]);
	ualarm(20000, 20000);
	/* Without SA_RESTART: the alarm also wakes this. */
	while ((device = take_file(ends[1])) < 0 && getppid() != 1)
		;
	if (chance_below(chance, 2))
		ioctl(device, TACT_BARE_HELLO, &hello);
	for (int i = 0; i < 20; i++)
		act(chance, device);
	_exit(0);
}

void stranger_give(int stranger, int device)
{
	union passed passed = {
		.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS},
	};
	struct iovec data = {"x", 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &passed,
				 .msg_controllen = sizeof(passed)};

	memcpy(CMSG_DATA(&passed.header), &device, sizeof(device));
	sendmsg(stranger, &message, MSG_NOSIGNAL);
	close(stranger);
}

static void debug_parent(struct chance *chance)
{
	unsigned for_us = (unsigned)chance_below(chance, 5000);
	pid_t child = fork();

	if (child == 0) {
		pid_t parent = getppid();

		ualarm(50000, 50000);
		if (!ptrace(PTRACE_SEIZE, parent, NULL, NULL) &&
		    !ptrace(PTRACE_INTERRUPT, parent, NULL, NULL) &&
		    waitpid(parent, NULL, __WALL) == parent)
			usleep(for_us);
		/* Its end releases the parent. */
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

static void *close_later(void *data)
{
	usleep(10000);
	close((int)(long)data);
	return NULL;
}

/* A thread that touches the page sleeps until the file is closed. */
static void late_page(struct chance *chance, int device, void *page)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.range = {(uintptr_t)page, 4096},
					.mode = UFFDIO_REGISTER_MODE_MISSING};
	struct tact_bare_memory memory = {.address = (uintptr_t)page, .bytes = 4096};
	int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	pthread_t thread;

	if (file < 0)
		return;
	if (ioctl(file, UFFDIO_API, &api) || madvise(page, 4096, MADV_DONTNEED) ||
	    ioctl(file, UFFDIO_REGISTER, &range) ||
	    pthread_create(&thread, NULL, close_later, (void *)(long)file)) {
		close(file);
		return;
	}
	pthread_detach(thread);
	ioctl(device, chance_below(chance, 4) ? TACT_BARE_MEMORY_ADD : TACT_BARE_MEMORY_REMOVE,
	      &memory);
}

static void huge_pages(struct chance *chance, int device)
{
	int file = memfd_create("huge", MFD_HUGETLB);
	struct tact_bare_memory memory = {.bytes = (1 + chance_below(chance, 512)) * 4096};
	void *pages;

	if (file < 0)
		return;
	if (!ftruncate(file, HUGE)) {
		pages = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		if (pages != MAP_FAILED) {
			memory.address = (uintptr_t)pages + chance_below(chance, 2) * 4096;
			ioctl(device, TACT_BARE_MEMORY_ADD, &memory);
			if (chance_below(chance, 2) && ftruncate(file, 0))
				ioctl(device, TACT_BARE_MEMORY_REMOVE, &memory);
			munmap(pages, HUGE);
		}
	}
	close(file);
}

void stranger_meddle(struct chance *chance, int device, void *page)
{
	switch (chance_below(chance, 16)) {
	case 0:
		/* Its next call kills it. */
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
		break;
	case 1 ... 5:
		debug_parent(chance);
		break;
	case 6 ... 10:
		late_page(chance, device, page);
		break;
	default:
		huge_pages(chance, device);
	}
}

void stranger_become(struct chance *chance)
{
	rlim_t bytes = chance_below(chance, 64) << 16;
	struct rlimit limit = {bytes, bytes};

	if (chance_below(chance, 4) || setrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(1);
}
