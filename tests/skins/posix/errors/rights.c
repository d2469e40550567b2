/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rights, memory, and calls by number. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "errors.h"

#define NO_ID ((uid_t)-1)

static void identity(void)
{
	FAILS(EINVAL, setuid(NO_ID));
	NEED(geteuid() || !setresuid(NOBODY, NOBODY, NOBODY));
	FAILS(EPERM, setuid(1));
	FAILS(EPERM, setreuid(1, 1));
	FAILS(EPERM, setresuid(1, 1, 1));
}

static void locked(void)
{
	FAILS(EINVAL, mlockall(0));
	FAILS(EINVAL, mlockall(77));
	WITHOUT(RLIMIT_MEMLOCK, AS_NOBODY(FAILS(EPERM, mlockall(MCL_CURRENT))));
	{
		const rlim_t former = limit(RLIMIT_MEMLOCK, 4096);

		AS_NOBODY(FAILS(ENOMEM, mlockall(MCL_CURRENT)));
		(void)limit(RLIMIT_MEMLOCK, former);
	}
}

static void advised(void)
{
	const size_t bytes = 4096;
	char *memory = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int own = open("/proc/self/exe", O_RDONLY);
	char *shared = mmap(NULL, bytes, PROT_READ, MAP_SHARED, own, 0);

	FAILS(EINVAL, madvise(memory, bytes, 7777));
	FAILS(EINVAL, madvise(memory + 1, bytes, MADV_NORMAL));
	FAILS(EINVAL, madvise(memory, bytes, MADV_REMOVE));
	FAILS(EACCES, madvise(shared, bytes, MADV_REMOVE));
	NEED(!munmap(memory, bytes));
	FAILS(ENOMEM, madvise(memory, bytes, MADV_DONTNEED));
	NEED(!munmap(shared, bytes));
	close(own);
}

static void controlled(void)
{
	struct sock_filter let_all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog filter = {1, &let_all};

	FAILS(EINVAL, prctl(7777, 0, 0, 0, 0));
	FAILS(EINVAL, prctl(PR_SET_PDEATHSIG, 99, 0, 0, 0));
	FAILS(EFAULT, prctl(PR_SET_NAME, nowhere(), 0, 0, 0));
	FAILS(EFAULT, prctl(PR_GET_PDEATHSIG, nowhere(), 0, 0, 0));
	AS_NOBODY(FAILS(EPERM, prctl(PR_CAPBSET_DROP, CAP_SYS_TIME, 0, 0, 0)));
	AS_NOBODY(FAILS(EACCES, prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0)));
	FAILS(ENODEV, prctl(PR_SET_SPECULATION_CTRL, 77, PR_SPEC_ENABLE, 0, 0));
}

static void cases(void)
{
	FAILS(ENOSYS, syscall(100000));
	locked();
	advised();
	controlled();
	FAILS(EINVAL, setuid(NO_ID));
	IN_CHILD(identity());
}

int main(void)
{
	return from_every_thread(cases);
}
