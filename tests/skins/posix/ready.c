/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A call that need not wait returns its result, whenever a handler runs: EINTR is for waits. A
 * timer fires at a sweep of delays over the way of a task to Linux, and over the first call by
 * which a thread becomes a task, while the result of the call is ready.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "firing.h"

#define BEFORE_NS 150000u /* first, a task goes back to primary mode */
#define STEPS     50
#define STEP_NS   1000u
#define SWEEPS    2
#define CHILDREN  150
#define GIVEN     0

static const struct timespec limit = {.tv_sec = 1}, soon = {.tv_nsec = 500000};
static const struct timespec begin_of_time = {.tv_sec = 1};
static int ends[2], pair[2], event, waiting, listener, client;
static int messages, semaphores, file, fifo_end;
static int clock_file;
static char fifo[64];
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static mqd_t queue;
static sem_t sem;
static sigset_t awaited, others;
static uint32_t word = 1;
static pid_t child;
static struct aiocb done;
static volatile sig_atomic_t handled;
static struct message {
	long type;
	char text[8];
} message = {.type = 1};

/* For a call that returns a number from zero on. */
static int told(long result)
{
	return result < 0 ? errno : GIVEN;
}

/* For a call that must return this. */
static int told_as(long result, long wanted)
{
	if (result < 0)
		return errno;
	return result == wanted ? GIVEN : EPROTO;
}

static int refused(long result, int wanted)
{
	if (result >= 0)
		return EPROTO;
	return errno == wanted ? GIVEN : errno;
}

static void nothing(void)
{
}

/* A child that has ended. */
static void end_child(void)
{
	siginfo_t info;

	/* A child that an earlier call did not get. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	child = fork();
	if (!child)
		_exit(0);
	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT))
		;
}

static int by_waitpid(void)
{
	return told_as(waitpid(child, NULL, 0), child);
}

static int by_wait4(void)
{
	struct rusage usage;
	int status;

	return told_as(wait4(-1, &status, 0, &usage), child);
}

static int by_waitid(void)
{
	siginfo_t info = {.si_pid = 0};
	const int error = told(waitid(P_PID, (id_t)child, &info, WEXITED));

	return error || info.si_pid == child ? error : EPROTO;
}

static int by_waitid_alone(void)
{
	return told(waitid(P_ALL, 0, NULL, WEXITED));
}

static void fill_pipe(void)
{
	(void)!write(ends[1], "", 1);
}

static void empty_pipe(void)
{
	char room[256];

	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	while (read(ends[0], room, sizeof(room)) > 0)
		;
	fcntl(ends[0], F_SETFL, 0);
}

static void fill_pipe_once(void)
{
	empty_pipe();
	fill_pipe();
}

static int by_poll(void)
{
	struct pollfd one = {.fd = ends[0], .events = POLLIN};
	const int error = told_as(poll(&one, 1, -1), 1);

	return error || one.revents == POLLIN ? error : EPROTO;
}

static int by_poll_call(void)
{
	struct pollfd one = {.fd = ends[0], .events = POLLIN};

	return told_as(syscall(SYS_poll, &one, 1, -1), 1);
}

static int by_ppoll(void)
{
	struct pollfd one = {.fd = ends[0], .events = POLLIN};

	return told_as(ppoll(&one, 1, &limit, &others), 1);
}

static int by_select(void)
{
	fd_set set;
	int error;

	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	error = told_as(select(ends[0] + 1, &set, NULL, NULL, NULL), 1);
	return error || FD_ISSET(ends[0], &set) ? error : EPROTO;
}

static int by_pselect(void)
{
	fd_set set;
	int error;

	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	error = told_as(pselect(ends[0] + 1, &set, NULL, NULL, &limit, NULL), 1);
	return error || FD_ISSET(ends[0], &set) ? error : EPROTO;
}

static int by_epoll(void)
{
	struct epoll_event one = {.data = {.fd = -1}};
	const int error = told_as(epoll_wait(waiting, &one, 1, -1), 1);

	return error || one.data.fd == ends[0] ? error : EPROTO;
}

static int by_epoll_pwait(void)
{
	struct epoll_event one;

	return told_as(epoll_pwait(waiting, &one, 1, 1000, &others), 1);
}

static int by_read(void)
{
	char one;

	return told_as(read(ends[0], &one, 1), 1);
}

static int by_readv(void)
{
	char one;
	struct iovec place = {.iov_base = &one, .iov_len = 1};

	return told_as(readv(ends[0], &place, 1), 1);
}

static int by_write(void)
{
	return told_as(write(ends[1], "", 1), 1);
}

static void add_to_event(void)
{
	const uint64_t two = 2;

	(void)!write(event, &two, sizeof(two));
}

static int by_read_event(void)
{
	uint64_t value = 0;
	const int error = told_as(read(event, &value, sizeof(value)), sizeof(value));

	return error || value == 2 ? error : EPROTO;
}

static void expire(void)
{
	const struct itimerspec once = {.it_value = {.tv_nsec = 1}};
	struct pollfd one = {.fd = clock_file, .events = POLLIN};

	timerfd_settime(clock_file, 0, &once, NULL);
	while (poll(&one, 1, -1) != 1)
		;
}

static int by_read_timer(void)
{
	uint64_t value = 0;

	return told_as(read(clock_file, &value, sizeof(value)), sizeof(value));
}

static void fill_socket(void)
{
	char room[16];

	while (recv(pair[1], room, sizeof(room), MSG_DONTWAIT) > 0)
		;
	send(pair[0], "a", 1, MSG_DONTWAIT);
}

static int by_recv(void)
{
	char one;

	return told_as(recv(pair[1], &one, 1, 0), 1);
}

/* If more is requested than there is, it returns what there is, once something ends its wait. */
static int by_recv_peek(void)
{
	char two[2];

	return told_as(recv(pair[1], two, sizeof(two), MSG_PEEK), 1);
}

static int by_recvmsg(void)
{
	char one;
	struct iovec place = {.iov_base = &one, .iov_len = 1};
	struct msghdr header = {.msg_iov = &place, .msg_iovlen = 1};

	return told_as(recvmsg(pair[1], &header, 0), 1);
}

static int by_recvmmsg(void)
{
	char one;
	struct iovec place = {.iov_base = &one, .iov_len = 1};
	struct mmsghdr header = {.msg_hdr = {.msg_iov = &place, .msg_iovlen = 1}};

	return told_as(recvmmsg(pair[1], &header, 1, 0, NULL), 1);
}

static int by_send(void)
{
	return told_as(send(pair[0], "", 1, 0), 1);
}

static int by_sendmsg(void)
{
	struct iovec one = {.iov_base = "", .iov_len = 1};
	const struct msghdr header = {.msg_iov = &one, .msg_iovlen = 1};

	return told_as(sendmsg(pair[0], &header, 0), 1);
}

static void connect_to(void)
{
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	connect(client, (struct sockaddr *)&address, sizeof(address));
}

static int by_accept(void)
{
	const int fd = accept(listener, NULL, NULL);
	const int error = told(fd);

	if (fd < 0)
		fcntl(listener, F_SETFL, O_NONBLOCK);
	close(fd < 0 ? accept(listener, NULL, NULL) : fd);
	fcntl(listener, F_SETFL, 0);
	close(client);
	return error;
}

static void open_reader(void)
{
	fifo_end = open(fifo, O_RDONLY | O_NONBLOCK);
}

static void open_writer(void)
{
	const int reader = open(fifo, O_RDONLY | O_NONBLOCK);

	fifo_end = open(fifo, O_WRONLY);
	close(reader);
}

/* As requested. */
static int opened(int flags)
{
	const int fd = open(fifo, flags);
	const int error = told(fd);
	const bool is_right = error || (fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK)) == flags;

	close(fd);
	close(fifo_end);
	return is_right ? error : EPROTO;
}

static int by_open_to_write(void)
{
	return opened(O_WRONLY);
}

static int by_open_to_read(void)
{
	return opened(O_RDONLY);
}

static int by_open_file(void)
{
	const int fd = open("/dev/null", O_RDONLY);
	const int error = told(fd);

	close(fd);
	return error;
}

static void put_message(void)
{
	while (msgrcv(messages, &message, sizeof(message.text), 0, IPC_NOWAIT) >= 0)
		;
	msgsnd(messages, &message, sizeof(message.text), IPC_NOWAIT);
}

static int by_msgrcv(void)
{
	struct message got;

	return told_as(msgrcv(messages, &got, sizeof(got.text), 0, 0), sizeof(got.text));
}

static int by_msgsnd(void)
{
	return told(msgsnd(messages, &message, sizeof(message.text), 0));
}

static void raise_semaphore(void)
{
	semctl(semaphores, 0, SETVAL, 1);
}

static int by_semop(void)
{
	struct sembuf one = {.sem_op = -1};

	return told(semop(semaphores, &one, 1));
}

static int by_semtimedop(void)
{
	struct sembuf one = {.sem_op = -1};

	return told(semtimedop(semaphores, &one, 1, &limit));
}

static void lower_semaphore(void)
{
	semctl(semaphores, 0, SETVAL, 0);
}

/* This must be refused, and not interrupted. */
static int by_semop_at_once(void)
{
	struct sembuf one = {.sem_op = -1, .sem_flg = IPC_NOWAIT};

	return refused(semop(semaphores, &one, 1), EAGAIN);
}

static void empty_queue(void)
{
	struct mq_attr now;
	char text[16];

	while (!mq_getattr(queue, &now) && now.mq_curmsgs)
		(void)mq_receive(queue, text, sizeof(text), NULL);
}

static void fill_queue(void)
{
	empty_queue();
	mq_send(queue, "a", 1, 0);
}

static int by_mq_receive(void)
{
	char text[16];

	return told_as(mq_receive(queue, text, sizeof(text), NULL), 1);
}

static int by_mq_timedreceive(void)
{
	const struct timespec until = later(CLOCK_REALTIME, 1000000000u);
	char text[16];

	return told_as(mq_timedreceive(queue, text, sizeof(text), NULL, &until), 1);
}

static int by_mq_send(void)
{
	return told(mq_send(queue, "a", 1, 0));
}

static void post(void)
{
	sem_post(&sem);
}

static int by_sem_wait(void)
{
	return told(sem_wait(&sem));
}

static int by_sem_timedwait(void)
{
	const struct timespec until = later(CLOCK_REALTIME, 1000000000u);

	return told(sem_timedwait(&sem, &until));
}

static void take_all(void)
{
	while (!sem_trywait(&sem))
		;
}

static int by_sem_timedwait_too_late(void)
{
	return refused(sem_timedwait(&sem, &begin_of_time), ETIMEDOUT);
}

static void send_signal(void)
{
	while (sigtimedwait(&awaited, NULL, &(struct timespec){0}) > 0)
		;
	kill(getpid(), SIGRTMIN);
}

static int by_sigwaitinfo(void)
{
	return told_as(sigwaitinfo(&awaited, NULL), SIGRTMIN);
}

static int by_sigtimedwait(void)
{
	return told_as(sigtimedwait(&awaited, NULL, &limit), SIGRTMIN);
}

static int by_futex(void)
{
	return refused(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0), EAGAIN);
}

static int by_shared_futex(void)
{
	return refused(syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0), EAGAIN);
}

static int by_futex_too_late(void)
{
	return refused(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 1, &begin_of_time, NULL,
			       FUTEX_BITSET_MATCH_ANY),
		       ETIMEDOUT);
}

static void unlock(void)
{
	struct flock none = {.l_type = F_UNLCK};

	flock(file, LOCK_UN);
	fcntl(file, F_OFD_SETLK, &none);
}

static int by_flock(void)
{
	return told(flock(file, LOCK_EX));
}

static int by_record_lock(void)
{
	struct flock lock = {.l_type = F_WRLCK};

	return told(fcntl(file, F_OFD_SETLKW, &lock));
}

static int by_instant(void)
{
	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &begin_of_time, NULL);
}

static int by_other_instant(void)
{
	return clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &begin_of_time, NULL);
}

static int by_no_sleep(void)
{
	const struct timespec none = {0};

	return told(nanosleep(&none, NULL));
}

static int by_wrong_sleep(void)
{
	const struct timespec wrong = {.tv_nsec = 1000000000};

	return refused(nanosleep(&wrong, NULL), EINVAL);
}

static int by_aio_suspend(void)
{
	const struct aiocb *one[] = {&done};

	return told(aio_suspend(one, 1, NULL));
}

/* A signal that the mask of the wait blocks ends it neither before nor during the wait. */
static int by_masked_ppoll(void)
{
	return told_as(ppoll(NULL, 0, &soon, &others), 0);
}

static int by_masked_pselect(void)
{
	return told_as(pselect(0, NULL, NULL, NULL, &soon, &others), 0);
}

static int by_masked_epoll(void)
{
	struct epoll_event one;

	return told_as(epoll_pwait(waiting, &one, 1, 1, &others), 0);
}

static const struct way {
	const char *name;
	void (*prepare)(void);
	int (*call)(void);
} ways[] = {
	{"waitpid", end_child, by_waitpid},
	{"wait4", end_child, by_wait4},
	{"waitid", end_child, by_waitid},
	{"waitid without a place", end_child, by_waitid_alone},
	{"poll", fill_pipe_once, by_poll},
	{"poll by syscall()", fill_pipe_once, by_poll_call},
	{"ppoll", fill_pipe_once, by_ppoll},
	{"select", fill_pipe_once, by_select},
	{"pselect", fill_pipe_once, by_pselect},
	{"epoll_wait", fill_pipe_once, by_epoll},
	{"epoll_pwait", fill_pipe_once, by_epoll_pwait},
	{"read", fill_pipe, by_read},
	{"readv", fill_pipe, by_readv},
	{"write", empty_pipe, by_write},
	{"ppoll that keeps it out", nothing, by_masked_ppoll},
	{"pselect that keeps it out", nothing, by_masked_pselect},
	{"epoll_pwait that keeps it out", empty_pipe, by_masked_epoll},
	{"read of an eventfd", add_to_event, by_read_event},
	{"read of a timer", expire, by_read_timer},
	{"recv", fill_socket, by_recv},
	{"recv of what stays", fill_socket, by_recv_peek},
	{"recvmsg", fill_socket, by_recvmsg},
	{"recvmmsg", fill_socket, by_recvmmsg},
	{"send", fill_socket, by_send},
	{"sendmsg", fill_socket, by_sendmsg},
	{"accept", connect_to, by_accept},
	{"open of a FIFO to write", open_reader, by_open_to_write},
	{"open of a FIFO to read", open_writer, by_open_to_read},
	{"open of a file", nothing, by_open_file},
	{"msgrcv", put_message, by_msgrcv},
	{"msgsnd", put_message, by_msgsnd},
	{"semop", raise_semaphore, by_semop},
	{"semtimedop", raise_semaphore, by_semtimedop},
	{"semop without a wait", lower_semaphore, by_semop_at_once},
	{"mq_receive", fill_queue, by_mq_receive},
	{"mq_timedreceive", fill_queue, by_mq_timedreceive},
	{"mq_send", empty_queue, by_mq_send},
	{"sem_wait", post, by_sem_wait},
	{"sem_timedwait", post, by_sem_timedwait},
	{"sem_timedwait, too late", take_all, by_sem_timedwait_too_late},
	{"sigwaitinfo", send_signal, by_sigwaitinfo},
	{"sigtimedwait", send_signal, by_sigtimedwait},
	{"futex", nothing, by_futex},
	{"futex that is shared", nothing, by_shared_futex},
	{"futex, too late", nothing, by_futex_too_late},
	{"flock", unlock, by_flock},
	{"fcntl for a lock", unlock, by_record_lock},
	{"clock_nanosleep, too late", nothing, by_instant},
	{"clock_nanosleep by another clock, too late", nothing, by_other_instant},
	{"nanosleep for nothing", nothing, by_no_sleep},
	{"nanosleep for no time", nothing, by_wrong_sleep},
	{"aio_suspend", nothing, by_aio_suspend},
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void count(int signal)
{
	(void)signal;
	handled++;
}

static void show(const char *name, const char *how, int wrong, int all, int error)
{
	if (wrong)
		printf("%s, %s: %d of %d did not give what was there, the last: %s\n", name, how,
		       wrong, all, strerror(error));
	else
		printf("%s, %s: given\n", name, how);
	fflush(stdout);
}

/* A task is in primary mode before the call. */
static int call_once(const struct way *way, int timer, uint64_t delay_ns)
{
	uint64_t begin_ns;
	int error;

	way->prepare();
	begin_ns = now_ns(CLOCK_MONOTONIC);
	fire(timer, BEFORE_NS + delay_ns, 0);
	usleep(1);
	while (now_ns(CLOCK_MONOTONIC) < begin_ns + BEFORE_NS)
		;
	error = way->call();
	fire(timer, 0, 0);
	return error;
}

static void *sweep(void *argument)
{
	const struct way *way = argument;
	const int timer = timer_of_caller();
	int wrong = 0, last = 0;

	for (int i = 0; i < SWEEPS * STEPS; i++) {
		const int error = call_once(way, timer, (uint64_t)(i % STEPS) * STEP_NS);

		wrong += error != GIVEN;
		last = error ? error : last;
	}
	call_linux(SYS_timer_delete, timer, 0, 0, 0);
	show(way->name, "a later one", wrong, SWEEPS * STEPS, last);
	return NULL;
}

static const unsigned first_delays_us[] = {20, 60, 150, 300, 600, 1000, 2000, 3000};
#define FIRST (sizeof(first_delays_us) / sizeof(first_delays_us[0]))

struct first {
	const struct way *way;
	unsigned delay_us;
	volatile int stage; /* 1: it exists, 2: it has its policy */
	int error;
};

static void *call_first(void *argument)
{
	struct first *first = argument;
	const int timer = timer_of_caller();

	first->stage = 1;
	while (first->stage == 1)
		call_linux(SYS_sched_yield, 0, 0, 0, 0);
	fire(timer, 1000u * first->delay_us, 0);
	first->error = first->way->call();
	call_linux(SYS_timer_delete, timer, 0, 0, 0);
	return NULL;
}

static void sweep_first(const struct way *way)
{
	const struct sched_param fifty = {.sched_priority = 50};
	int wrong = 0, last = 0;

	for (size_t i = 0; i < FIRST; i++) {
		struct first first = {.way = way, .delay_us = first_delays_us[i]};
		pthread_t thread;

		way->prepare();
		thread = other_thread(call_first, &first);
		while (!first.stage)
			usleep(50);
		if (pthread_setschedparam(thread, SCHED_FIFO, &fifty))
			exit(77);
		first.stage = 2;
		joined(thread);
		wrong += first.error != GIVEN;
		last = first.error ? first.error : last;
	}
	show(way->name, "the first call", wrong, (int)FIRST, last);
}

/* A child that ends about when it is waited for: its SIGCHLD does not end the wait. */
static void begin_child(uint64_t delay_ns)
{
	static const struct sched_param none;
	static volatile int *go;

	if (!go)
		go = mmap(NULL, sizeof(*go), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			  0);
	*go = 0;
	child = fork();
	if (!child) {
		uint64_t begin_ns;

		call_linux(SYS_sched_setscheduler, 0, SCHED_OTHER, (long)&none, 0);
		*go = 1;
		while (*go == 1)
			;
		begin_ns = now_ns(CLOCK_MONOTONIC);
		while (now_ns(CLOCK_MONOTONIC) < begin_ns + delay_ns)
			;
		_exit(0);
	}
	while (!*go)
		usleep(20);
	*go = 2;
}

static void *wait_for_children(void *argument)
{
	const struct way *way = argument;
	sigset_t ended;
	int wrong = 0, last = 0;

	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	pthread_sigmask(SIG_UNBLOCK, &ended, NULL);
	for (unsigned i = 0; i < CHILDREN; i++) {
		int error;

		begin_child(i % 30 * 2000u);
		error = way->call();
		while (error == EINTR && waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
		wrong += error != GIVEN;
		last = error ? error : last;
	}
	show(way->name, "as its child ends", wrong, CHILDREN, last);
	return NULL;
}

/* A call that a handler has interrupted is over; the next call is another one. */
static int next_ppoll(void)
{
	sigset_t none;

	sigemptyset(&none);
	return told_as(ppoll(NULL, 0, &soon, &none), 0);
}

static int next_pselect(void)
{
	sigset_t none;

	sigemptyset(&none);
	return told_as(pselect(0, NULL, NULL, NULL, &soon, &none), 0);
}

static int next_futex(void)
{
	return refused(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &soon, NULL, 0), ETIMEDOUT);
}

static const struct way next_ways[] = {
	{"ppoll", nothing, next_ppoll},
	{"pselect", nothing, next_pselect},
	{"futex that is shared", nothing, next_futex},
};

static void *call_next(void *unused)
{
	const int process = (int)call_linux(SYS_getpid, 0, 0, 0, 0);
	const int self = (int)call_linux(SYS_gettid, 0, 0, 0, 0);

	usleep(1);
	for (size_t i = 0; i < sizeof(next_ways) / sizeof(next_ways[0]); i++) {
		int error;

		usleep(1);
		call_linux(SYS_tgkill, process, self, SIGUSR1, 0);
		error = next_ways[i].call();
		show(next_ways[i].name, "after a handler", error != GIVEN, 1, error);
	}
	return unused;
}

static void prepare_files(void)
{
	char name[] = "/tmp/tactus-ready-XXXXXX";
	struct epoll_event member = {.events = EPOLLIN};

	if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || !mkdtemp(name))
		abort();
	snprintf(fifo, sizeof(fifo), "%s/fifo", name);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", name);
	mkfifo(fifo, 0600);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 8))
		abort();
	event = eventfd(0, 0);
	clock_file = timerfd_create(CLOCK_MONOTONIC, 0);
	file = (int)syscall(SYS_memfd_create, "locked", 0);
	waiting = epoll_create1(0);
	member.data.fd = ends[0];
	epoll_ctl(waiting, EPOLL_CTL_ADD, ends[0], &member);
}

static void prepare(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
	struct sigaction action = {.sa_handler = count};
	static char room[1];
	char name[32];

	prepare_files();
	snprintf(name, sizeof(name), "/tactus-ready-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	mq_unlink(name);
	sem_init(&sem, 0, 0);
	messages = msgget(IPC_PRIVATE, 0600);
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGRTMIN);
	sigemptyset(&others);
	sigaddset(&others, SIGUSR1);
	sigaddset(&others, SIGCHLD);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGCHLD, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &awaited, NULL);
	sigaddset(&awaited, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &awaited, NULL);
	sigdelset(&awaited, SIGCHLD);
	done = (struct aiocb){.aio_fildes = ends[0], .aio_buf = room, .aio_nbytes = 1};
	fill_pipe();
	aio_read(&done);
	while (aio_error(&done) == EINPROGRESS)
		usleep(100);
}

static void clean_up(void)
{
	msgctl(messages, IPC_RMID, NULL);
	semctl(semaphores, 0, IPC_RMID);
	unlink(fifo);
	unlink(address.sun_path);
	*strrchr(fifo, '/') = '\0';
	rmdir(fifo);
}

int main(void)
{
	prepare();
	for (size_t i = 0; i < WAYS; i++) {
		sweep_first(&ways[i]);
		joined(fifo_thread(50, sweep, (void *)&ways[i]));
	}
	for (size_t i = 0; i < 4; i++)
		joined(fifo_thread(50, wait_for_children, (void *)&ways[i]));
	joined(fifo_thread(50, call_next, NULL));
	clean_up();
	return 0;
}
