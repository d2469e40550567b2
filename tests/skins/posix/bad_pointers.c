/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pointers that lead nowhere, in each call whose pointers Linux reads: the result is EFAULT, in
 * each caller: a thread before there are tasks, a task, a plain thread beside it, a fork's child;
 * with SIGSEGV blocked or not. The program's handler of SIGSEGV, installed before or later, is
 * called only for the faults of the program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static const struct timespec moment = {0, 1000000};
static struct itimerspec far = {.it_value = {1000, 0}};
static const struct itimerval far_coarse = {.it_value = {1000, 0}};
static void *page, *beyond = (void *)-1, *bad;
static sigset_t set;
static volatile sig_atomic_t handled;
static sigjmp_buf back;

#define TELL(expression) \
	(errno = 0, printf("%s = %ld", #expression, (long)(expression)), printf(", %d\n", errno))

static void wait_for_time(timer_t timer)
{
	TELL(clock_nanosleep(CLOCK_MONOTONIC, 0, bad, NULL));
	TELL(nanosleep(bad, NULL));
	TELL(clock_gettime(CLOCK_THREAD_CPUTIME_ID, bad));
	TELL(timer_settime(timer, 0, bad, NULL));
	TELL(timer_settime(timer, 0, &far, NULL));
	TELL(timer_settime(timer, 0, &far, bad));
	TELL(timer_gettime(timer, bad));
	TELL(setitimer(ITIMER_REAL, bad, NULL));
	TELL(setitimer(ITIMER_REAL, &far_coarse, bad));
	TELL(getitimer(ITIMER_REAL, bad));
	TELL(alarm(0) > 990);
	TELL(getrusage(RUSAGE_THREAD, bad));
}

static void wait_for_files(void)
{
	const uint64_t one = 1;
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(1, EFD_NONBLOCK);
	int epoll = epoll_create1(0);
	struct epoll_event in = {.events = EPOLLIN};
	struct pollfd known = {event, POLLIN, 0};
	uint64_t count;

	TELL(epoll_ctl(epoll, EPOLL_CTL_ADD, event, bad));
	epoll_ctl(epoll, EPOLL_CTL_ADD, event, &in);
	TELL(poll(&known, 1, 0));
	TELL(timerfd_settime(timer, 0, bad, NULL));
	TELL(timerfd_settime(timer, 0, &far, NULL));
	TELL(timerfd_settime(timer, 0, &far, bad));
	TELL(timerfd_gettime(timer, bad));
	TELL(poll(bad, 1, 1));
	TELL(ppoll(bad, 1, &moment, NULL));
	TELL(ppoll(NULL, 0, &moment, bad));
	TELL(select(event + 1, bad, NULL, NULL, &(struct timeval){0, 0}));
	TELL(pselect(event + 1, NULL, bad, NULL, &moment, NULL));
	TELL(pselect(0, NULL, NULL, NULL, &moment, bad));
	TELL(epoll_wait(epoll, bad, 1, 0));
	TELL(epoll_pwait(epoll, &in, 1, 0, bad));
	TELL(write(event, bad, 8));
	TELL(write(event, &one, 8));
	TELL(read(event, bad, 8));
	TELL(read(event, &count, 8) == 8 || errno == EAGAIN);
	TELL(sendmsg(event, bad, 0));
	close(timer);
	close(event);
	close(epoll);
}

static void wait_for_signals(void)
{
	const struct timespec none = {0};

	TELL(sigsuspend(bad));
	TELL(sigtimedwait(bad, NULL, &moment));
	TELL(sigwaitinfo(bad, NULL));
	TELL(sigtimedwait(&set, NULL, bad));
	/* The signal is lost with it, as in Linux. */
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1);
	TELL(sigtimedwait(&set, bad, &moment));
	TELL(sigtimedwait(&set, NULL, &none));
	TELL(pthread_sigmask(SIG_BLOCK, NULL, bad));
	TELL(sigpending(bad));
}

static void pass_messages(mqd_t queue)
{
	char text[16];
	unsigned priority;

	TELL(mq_send(queue, bad, 8, 1));
	TELL(mq_timedsend(queue, "good", 5, 1, bad));
	TELL(mq_timedreceive(queue, text, sizeof(text), &priority, bad));
	TELL(mq_send(queue, "first", 6, 1));
	TELL(mq_receive(queue, bad, sizeof(text), NULL));
	TELL(mq_send(queue, "second", 7, 1));
	TELL(mq_receive(queue, text, sizeof(text), bad));
	TELL(mq_setattr(queue, bad, NULL));
}

static void call_by_number(void)
{
	static uint32_t word = 1;

	TELL(syscall(SYS_sched_setattr, 0, bad, 0));
	TELL(syscall(SYS_sched_getattr, 0, bad, sizeof(struct attributes), 0));
	TELL(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, bad));
	TELL(syscall(SYS_nanosleep, bad, NULL));
	TELL(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, bad, NULL));
	TELL(syscall(SYS_getcpu, bad, NULL, NULL));
	TELL(syscall(SYS_getcpu, NULL, bad, NULL));
	TELL(syscall(SYS_futex, bad, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0));
	TELL(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, bad, NULL, 0));
	TELL(syscall(SYS_futex, bad, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &word, 1));
	TELL(syscall(SYS_setitimer, ITIMER_REAL, bad, NULL));
	TELL(syscall(SYS_sched_getaffinity, 0, 128, bad));
	TELL(sched_getparam(0, bad));
	TELL(sched_setparam(0, bad));
	TELL(sched_setscheduler(0, SCHED_FIFO, bad));
	TELL(sched_getaffinity(0, sizeof(cpu_set_t), bad));
	TELL(sched_setaffinity(0, sizeof(cpu_set_t), bad));
}

static void ask_for(void *pointer)
{
	char name[32];
	struct sigevent silent = {.sigev_notify = SIGEV_NONE};
	struct mq_attr small = {.mq_maxmsg = 4, .mq_msgsize = 16};
	timer_t timer;
	mqd_t queue;

	bad = pointer;
	snprintf(name, sizeof(name), "/tactus-bad-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &small);
	mq_unlink(name);
	timer_create(CLOCK_MONOTONIC, &silent, &timer);
	wait_for_time(timer);
	wait_for_files();
	wait_for_signals();
	pass_messages(queue);
	call_by_number();
	timer_delete(timer);
	mq_close(queue);
}

static void ask(const char *who)
{
	sigset_t blocked = set, former;

	pthread_sigmask(SIG_BLOCK, &set, NULL);
	printf("%s\n", who);
	ask_for(page);
	ask_for(beyond);
	sigaddset(&blocked, SIGSEGV);
	sigaddset(&blocked, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &blocked, &former);
	printf("%s, SIGSEGV blocked\n", who);
	ask_for(page);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	fflush(stdout);
}

static void ask_in_handlers(void);

static void *ask_as_plain(void *who)
{
	SHOW(is_no_task());
	ask(who);
	ask_in_handlers();
	return NULL;
}

static void ask_in_child(void)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		ask("in a child");
		_exit(6);
	}
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
}

static void jump(int signal, siginfo_t *info, void *context)
{
	(void)context;
	handled++;
	printf("signal %d at the page: %d\n", signal, info->si_addr == page);
	siglongjmp(back, 1);
}

static void install(void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
	struct sigaction now;

	SHOW(sigaction(SIGSEGV, &action, NULL));
	SHOW(sigaction(SIGSEGV, NULL, &now));
	SHOW(now.sa_sigaction == handler);
	SHOW(now.sa_flags == (action.sa_flags | 0x04000000));
}

static void fault(void)
{
	if (!sigsetjmp(back, 1))
		*(volatile char *)page = 1;
	SHOW(handled);
}

static void ask_in_handler(int signal)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	SHOW(signal);
	SHOW(sigismember(&now, SIGSEGV));
	ask_for(page);
}

static void leave(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void let_all_in(int signal)
{
	sigset_t none;

	(void)signal;
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/* It is blocked again after a handler that has unblocked it. */
static void ask_after_handler(void)
{
	struct sigaction lets = {.sa_handler = let_all_in}, former_action;
	sigset_t all, former;

	sigfillset(&lets.sa_mask);
	sigfillset(&all);
	sigdelset(&all, SIGUSR2);
	SHOW(sigaction(SIGUSR2, &lets, &former_action));
	pthread_sigmask(SIG_SETMASK, &all, &former);
	raise(SIGUSR2);
	ask_for(page);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	SHOW(sigaction(SIGUSR2, &former_action, NULL));
}

/* SIGSEGV is blocked while they run, by no call of the program. */
static void ask_in_handlers(void)
{
	struct sigaction all = {.sa_handler = ask_in_handler}, leaves = {.sa_handler = leave}, now;

	ask_after_handler();

	sigfillset(&all.sa_mask);
	sigfillset(&leaves.sa_mask);
	SHOW(sigaction(SIGUSR2, &all, NULL));
	SHOW(sigaction(SIGUSR2, &leaves, &now));
	SHOW(now.sa_handler == ask_in_handler);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR2);
	ask_for(page);
	SHOW(sigaction(SIGUSR2, &all, &now));
	SHOW(now.sa_handler == leave);
	raise(SIGUSR2);
	ask_for(page);
	SHOW(sigaction(SIGUSR2, NULL, &now));
	SHOW(now.sa_handler == ask_in_handler);
}

static void *run(void *argument)
{
	SHOW(is_task_if_expected());
	ask("a task");
	fault();
	install(jump, SA_NODEFER);
	ask("a task, with a handler that it installed");
	fault();
	ask_in_handlers();
	joined(other_thread(ask_as_plain, "a plain thread beside it"));
	ask_in_child();
	return argument;
}

int main(void)
{
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	joined(other_thread(ask_as_plain, "before any task"));
	install(jump, SA_NODEFER);
	joined(fifo_thread(50, run, NULL));
	return 0;
}
