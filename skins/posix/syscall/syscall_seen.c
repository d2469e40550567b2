/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which calls by syscall() something has to be seen to (syscall.c), whoever makes them. */
#define _GNU_SOURCE
#include "posix/syscall/syscall_seen.h"

#include <sys/syscall.h>

bool posix_syscall_is_of_files(long number)
{
	switch (number) {
	case SYS_dup:
	case SYS_epoll_ctl:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
	case SYS_epoll_wait:
	case SYS_fcntl:
	case SYS_io_submit:
	case SYS_io_uring_setup:
	case SYS_ioctl:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_preadv2:
	case SYS_pselect6:
	case SYS_pwritev2:
	case SYS_read:
	case SYS_readv:
	case SYS_select:
	case SYS_sendmmsg:
	case SYS_sendmsg:
	case SYS_splice:
	case SYS_timerfd_gettime:
	case SYS_timerfd_settime:
	case SYS_write:
	case SYS_writev:
		return true;
	default:
		return false;
	}
}

bool posix_syscall_is_seen(long number)
{
	switch (number) {
	case SYS_alarm:
	case SYS_clone:
	case SYS_clone3:
	case SYS_clock_nanosleep:
	case SYS_close:
	case SYS_close_range:
	case SYS_dup2:
	case SYS_dup3:
	case SYS_fork:
	case SYS_futex:
	case SYS_getitimer:
	case SYS_nanosleep:
	case SYS_prctl:
	case SYS_rt_sigpending:
	case SYS_rt_sigprocmask:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_sched_getaffinity:
	case SYS_sched_getattr:
	case SYS_sched_getparam:
	case SYS_sched_getscheduler:
	case SYS_sched_setaffinity:
	case SYS_sched_setattr:
	case SYS_sched_setparam:
	case SYS_sched_setscheduler:
	case SYS_seccomp:
	case SYS_setitimer:
	case SYS_signalfd:
	case SYS_signalfd4:
	case SYS_tgkill:
	case SYS_vfork:
		return true;
	default:
		return posix_syscall_is_of_files(number);
	}
}
