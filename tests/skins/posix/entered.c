/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A handler that runs after a call was entered ends the call, however early in the call it comes.
 * This includes the times when the thread becomes a task, which it does in its first call after it
 * got its policy; when the program's real-time half begins; and when the task goes to Linux or
 * comes back. A timer fires at a sweep of delays over the way into each call; a second expiry, much
 * later, ends a call that the first one did not end. Plainly, the way takes about 100 ns, and at no
 * delay is each try missed.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "firing.h"

#define AGAIN_NS      60000000u /* the second expiry */
#define LIMIT_S       1
#define BEFORE_NS     300000u
#define FIRST_NS      3000000u /* the first call of a thread whose later call is tested */
#define TRIES         5
#define EARLY_MOST    12
#define BETWEEN_NS    700u /* from the delay of one try to that of the next */
#define FIRST_WAYS    6
#define MESSAGE_BYTES 1024
#define LISTING_US    2000

static sem_t sem;
static mqd_t queue, full;
static int event, ends[2], waiting, messages;
static int full_pipe[2], full_pair[2], full_messages, semaphores, locked[2];
static int empty_pair[2], listener;
static char fifo[32];
static pid_t living;
static struct {
	long type;
	char text[MESSAGE_BYTES];
} filling = {.type = 1};
static struct aiocb reading, listed;
static char listed_room[8];
static sigset_t awaited;
static uint32_t word;
static volatile sig_atomic_t handled;

static const struct timespec limit = {.tv_sec = LIMIT_S};

static int by_sleep(void)
{
	return sleep(LIMIT_S + 1) ? EINTR : 0;
}

static int by_usleep(void)
{
	return usleep(999999) ? errno : 0;
}

static int by_nanosleep(void)
{
	return nanosleep(&limit, NULL) ? errno : 0;
}

static int by_clock_nanosleep(void)
{
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &limit, NULL);
}

static int by_instant(void)
{
	const struct timespec until = later(CLOCK_MONOTONIC, 1000000000u);

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* A clock for which only Linux waits. */
static int by_other_clock(void)
{
	struct timespec left = {.tv_sec = 99};
	int error = clock_nanosleep(CLOCK_BOOTTIME, 0, &limit, &left);

	return error == EINTR && left.tv_sec > LIMIT_S ? EINVAL : error;
}

static int by_sem_wait(void)
{
	return sem_wait(&sem) ? errno : 0;
}

static int by_sem_timedwait(void)
{
	const struct timespec until = later(CLOCK_REALTIME, 1000000000u);

	return sem_timedwait(&sem, &until) ? errno : 0;
}

static int by_mq_receive(void)
{
	char text[16];

	return mq_receive(queue, text, sizeof(text), NULL) < 0 ? errno : 0;
}

static int by_mq_timedreceive(void)
{
	const struct timespec until = later(CLOCK_REALTIME, 1000000000u);
	char text[16];

	return mq_timedreceive(queue, text, sizeof(text), NULL, &until) < 0 ? errno : 0;
}

static int by_mq_send(void)
{
	return mq_send(full, "", 1, 0) ? errno : 0;
}

static int by_mq_timedsend(void)
{
	const struct timespec until = later(CLOCK_REALTIME, 1000000000u);

	return mq_timedsend(full, "", 1, 0, &until) ? errno : 0;
}

static int by_sem_clockwait(void)
{
	const struct timespec until = later(CLOCK_MONOTONIC, 1000000000u);

	return sem_clockwait(&sem, CLOCK_MONOTONIC, &until) ? errno : 0;
}

static int by_ppoll(void)
{
	struct pollfd file = {.fd = event, .events = POLLIN};

	return ppoll(&file, 1, &limit, NULL) < 0 ? errno : 0;
}

static int by_pselect(void)
{
	return pselect(0, NULL, NULL, NULL, &limit, NULL) < 0 ? errno : 0;
}

static int by_sigtimedwait(void)
{
	return sigtimedwait(&awaited, NULL, &limit) < 0 ? errno : 0;
}

/* The C library waits for the reading threads by its own futex. */
static int by_lio_listio(void)
{
	struct aiocb *one[] = {&listed};

	if (aio_error(&listed) != EINPROGRESS)
		listed = (struct aiocb){.aio_fildes = ends[0],
					.aio_buf = listed_room,
					.aio_nbytes = 1,
					.aio_lio_opcode = LIO_READ};
	return lio_listio(LIO_WAIT, one, 1, NULL) ? errno : 0;
}

static int by_poll(void)
{
	return poll(NULL, 0, 1000 * LIMIT_S) ? errno : 0;
}

static int by_poll_event(void)
{
	struct pollfd file = {.fd = event, .events = POLLIN};

	return poll(&file, 1, -1) < 0 ? errno : 0;
}

static int by_poll_pipe(void)
{
	struct pollfd file = {.fd = ends[0], .events = POLLIN};

	return poll(&file, 1, -1) < 0 ? errno : 0;
}

static int by_select(void)
{
	struct timeval timeout = {.tv_sec = LIMIT_S};

	return select(0, NULL, NULL, NULL, &timeout) < 0 ? errno : 0;
}

static int by_select_pipe(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	return select(ends[0] + 1, &set, NULL, NULL, NULL) < 0 ? errno : 0;
}

static int by_epoll(void)
{
	struct epoll_event one;

	return epoll_wait(waiting, &one, 1, -1) < 0 ? errno : 0;
}

static int by_read_event(void)
{
	uint64_t value;

	return read(event, &value, sizeof(value)) < 0 ? errno : 0;
}

static int by_read_pipe(void)
{
	char one;

	return read(ends[0], &one, 1) < 0 ? errno : 0;
}

static int by_pause(void)
{
	return pause() ? errno : 0;
}

static int by_sigsuspend(void)
{
	sigset_t none;

	sigemptyset(&none);
	return sigsuspend(&none) ? errno : 0;
}

static int by_sigwaitinfo(void)
{
	return sigwaitinfo(&awaited, NULL) < 0 ? errno : 0;
}

static int by_futex(void)
{
	return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) ? errno : 0;
}

static int by_sleep_call(void)
{
	return syscall(SYS_nanosleep, &limit, NULL) ? errno : 0;
}

static int by_poll_call(void)
{
	return syscall(SYS_poll, NULL, 0, 1000 * LIMIT_S) ? errno : 0;
}

static int by_aio_suspend(void)
{
	const struct aiocb *one[] = {&reading};

	return aio_suspend(one, 1, NULL) ? errno : 0;
}

static int by_message(void)
{
	struct {
		long type;
		char text[8];
	} message;

	return msgrcv(messages, &message, sizeof(message.text), 0, 0) < 0 ? errno : 0;
}

static int by_recv(void)
{
	char one;

	return recv(empty_pair[0], &one, 1, 0) < 0 ? errno : 0;
}

static int by_recvmsg(void)
{
	char one;
	struct iovec place = {.iov_base = &one, .iov_len = 1};
	struct msghdr header = {.msg_iov = &place, .msg_iovlen = 1};

	return recvmsg(empty_pair[0], &header, 0) < 0 ? errno : 0;
}

static int by_accept(void)
{
	return accept(listener, NULL, NULL) < 0 ? errno : 0;
}

static int by_open_to_read(void)
{
	return open(fifo, O_RDONLY) < 0 ? errno : 0;
}

static int by_open_to_write(void)
{
	return open(fifo, O_WRONLY) < 0 ? errno : 0;
}

static int by_waitpid(void)
{
	return waitpid(living, NULL, 0) < 0 ? errno : 0;
}

static int by_waitid(void)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)living, &info, WEXITED) ? errno : 0;
}

/* Calls that send, and locks of files. */
static int by_write_pipe(void)
{
	return write(full_pipe[1], "", 1) < 0 ? errno : 0;
}

static int by_writev(void)
{
	struct iovec one = {.iov_base = "", .iov_len = 1};

	return writev(full_pipe[1], &one, 1) < 0 ? errno : 0;
}

static int by_send(void)
{
	return send(full_pair[0], "", 1, 0) < 0 ? errno : 0;
}

static int by_sendmsg(void)
{
	struct iovec one = {.iov_base = "", .iov_len = 1};
	const struct msghdr header = {.msg_iov = &one, .msg_iovlen = 1};

	return sendmsg(full_pair[0], &header, 0) < 0 ? errno : 0;
}

static int by_message_sent(void)
{
	return msgsnd(full_messages, &filling, sizeof(filling.text), 0) ? errno : 0;
}

static int by_semop(void)
{
	struct sembuf one = {.sem_op = -1};

	return semop(semaphores, &one, 1) ? errno : 0;
}

static int by_semtimedop(void)
{
	struct sembuf one = {.sem_op = -1};

	return semtimedop(semaphores, &one, 1, &limit) ? errno : 0;
}

static int by_record_lock(void)
{
	struct flock lock = {.l_type = F_WRLCK};

	return fcntl(locked[1], F_OFD_SETLKW, &lock) ? errno : 0;
}

static int by_flock(void)
{
	return flock(locked[1], LOCK_EX) ? errno : 0;
}

static const struct way {
	const char *name;
	int (*wait)(void);
} ways[] = {
	/* The first FIRST_WAYS need no preparation. */
	{"sleep", by_sleep},
	{"pause", by_pause},
	{"poll", by_poll},
	{"sem_wait", by_sem_wait},
	{"sem_timedwait", by_sem_timedwait},
	{"clock_nanosleep", by_clock_nanosleep},
	{"usleep", by_usleep},
	{"nanosleep", by_nanosleep},
	{"clock_nanosleep to an instant", by_instant},
	{"clock_nanosleep by another clock", by_other_clock},
	{"mq_receive", by_mq_receive},
	{"poll of an eventfd", by_poll_event},
	{"poll of a pipe", by_poll_pipe},
	{"select", by_select},
	{"select of a pipe", by_select_pipe},
	{"epoll_wait", by_epoll},
	{"read of an eventfd", by_read_event},
	{"read of a pipe", by_read_pipe},
	{"sigsuspend", by_sigsuspend},
	{"sigwaitinfo", by_sigwaitinfo},
	{"futex", by_futex},
	{"nanosleep by syscall()", by_sleep_call},
	{"poll by syscall()", by_poll_call},
	{"aio_suspend", by_aio_suspend},
	{"msgrcv", by_message},
	{"sem_clockwait", by_sem_clockwait},
	{"mq_timedreceive", by_mq_timedreceive},
	{"mq_send", by_mq_send},
	{"mq_timedsend", by_mq_timedsend},
	{"ppoll", by_ppoll},
	{"pselect", by_pselect},
	{"sigtimedwait", by_sigtimedwait},
	{"lio_listio", by_lio_listio},
	{"write to a full pipe", by_write_pipe},
	{"writev to a full pipe", by_writev},
	{"send to a full socket", by_send},
	{"sendmsg to a full socket", by_sendmsg},
	{"msgsnd", by_message_sent},
	{"semop", by_semop},
	{"semtimedop", by_semtimedop},
	{"fcntl for a lock", by_record_lock},
	{"flock", by_flock},
	{"recv", by_recv},
	{"recvmsg", by_recvmsg},
	{"accept", by_accept},
	{"open of a FIFO to read", by_open_to_read},
	{"open of a FIFO to write", by_open_to_write},
	{"waitpid", by_waitpid},
	{"waitid", by_waitid},
};

/* Calls that a handler of SA_RESTART also ends: signal(7). */
static const struct way ways_of_any[] = {
	{"pause", by_pause},
	{"clock_nanosleep by another clock", by_other_clock},
	{"poll of a pipe", by_poll_pipe},
	{"poll by syscall()", by_poll_call},
	{"ppoll", by_ppoll},
	{"select of a pipe", by_select_pipe},
	{"pselect", by_pselect},
	{"epoll_wait", by_epoll},
	{"sigsuspend", by_sigsuspend},
	{"sigtimedwait", by_sigtimedwait},
	{"msgrcv", by_message},
	{"msgsnd", by_message_sent},
	{"semop", by_semop},
	{"semtimedop", by_semtimedop},
};

#define DELAYS 8
static const unsigned delays_us[DELAYS] = {20, 60, 150, 400, 1000, 2000, 3000, 5000};
/* Into a task's way to Linux, or into primary mode. */
static const unsigned short_delays_us[DELAYS] = {2, 4, 7, 10, 13, 17, 25, 50};
static void count(int signal)
{
	(void)signal;
	handled++;
}

/* The same for a call that continues: the second one ends it. */
static void count_and_post(int signal)
{
	(void)signal;
	if (++handled == 2)
		sem_post(&sem);
}

static void handle(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(SIGUSR1, &action, NULL);
}

/* One wait, during which the timer of the calling thread fires. */
struct
try {
	const struct way *way;
	unsigned delay_us;
	unsigned more_ns;   /* more than that */
	bool again;         /* once more by the same thread, which is then a task in primary mode */
	volatile int stage; /* 1: it exists, 2: it has its policy */
	bool early;         /* the handler ran before the call, which proves nothing */
	int error;
	int count;
};

/* A task is in primary mode before the call, after such a time; 0: in whatever mode it is. */
static void wait_once(struct try *try, int timer, uint64_t before_ns, uint64_t delay_ns)
{
	uint64_t begin_ns;

	handled = 0;
	begin_ns = now_ns(CLOCK_MONOTONIC);
	fire(timer, before_ns + delay_ns, AGAIN_NS);
	if (before_ns)
		usleep(1);
	while (before_ns && now_ns(CLOCK_MONOTONIC) < begin_ns + before_ns)
		;
	try->early = handled;
	try->error = try->way->wait();
	fire(timer, 0, 0);
	try->count = handled;
}

static void *run(void *argument)
{
	struct try *try = argument;
	const uint64_t delay_ns = 1000u * try->delay_us + try->more_ns;
	const int timer = timer_of_caller();

	if (!try->stage)
		try->stage = 1;
	while (try->stage == 1)
		call_linux(SYS_sched_yield, 0, 0, 0, 0);
	wait_once(try, timer, 0, try->again ? FIRST_NS : delay_ns);
	if (try->again)
		wait_once(try, timer, BEFORE_NS, delay_ns);
	call_linux(SYS_timer_delete, timer, 0, 0, 0);
	return NULL;
}

/* Whatever the reason: a busy machine is slow. */
static bool ended_late(const struct try *try)
{
	return try->count > 1;
}

/* This thread gives it its policy, which it follows in its next call that Tactus sees. */
static bool misses(struct try *try)
{
	const struct sched_param fifty = {.sched_priority = 50};
	pthread_t thread = other_thread(run, try);

	while (!try->stage)
		usleep(50);
	if (pthread_setschedparam(thread, SCHED_FIFO, &fifty))
		exit(77);
	try->stage = 2;
	joined(thread);
	return ended_late(try);
}

#define PAGES_US       10
#define PROGRAM_MISSES 1
#define PROGRAM_EARLY  2

/* By a program that begins with a policy, whose first call also starts Tactus. */
static bool misses_as_program(size_t way, unsigned delay_us, bool *early)
{
	const struct sched_param fifty = {.sched_priority = 50};
	char number[16], delay[16];
	int status;
	pid_t child;

	snprintf(number, sizeof(number), "%d", (int)way);
	snprintf(delay, sizeof(delay), "%u", delay_us);
	child = fork();
	if (!child) {
		if (call_linux(SYS_sched_setscheduler, 0, SCHED_FIFO, (long)&fifty, 0))
			_exit(PROGRAM_MISSES);
		/* Otherwise the linker would look up the function between the check and the
		 * call. */
		setenv("LD_BIND_NOW", "1", 1);
		execl("/proc/self/exe", "entered", number, delay, NULL);
		_exit(PROGRAM_MISSES);
	}
	waitpid(child, &status, 0);
	*early = WIFEXITED(status) && WEXITSTATUS(status) == PROGRAM_EARLY;
	return status;
}

static int be_program(const char *way, const char *delay)
{
	struct try try = {.way = &ways[atoi(way)], .delay_us = (unsigned)atoi(delay), .stage = 2};

	handle(count, 0);
	run(&try);
	if (!ended_late(&try) && try.error == EINTR)
		return 0;
	return try.early ? PROGRAM_EARLY : PROGRAM_MISSES;
}

/*
 * At one delay. A try whose handler came before the call is repeated, as often as is reasonable: at
 * the shortest delays this is every second try, when the thread touches pages for the first time. A
 * few hundredths come just after the thread's check, and before the call begins for Linux: no test
 * can distinguish these from missed ones. They are a range of about 100 ns at the same place each
 * time. So the next try is placed beside it, and never do all TRIES hit it.
 */
static bool misses_again(struct try *try)
{
	const struct try begun = *try;
	int misses_of_call = 0;

	for (int early = 0; early < EARLY_MOST && misses_of_call < TRIES;) {
		*try = begun;
		try->more_ns = (unsigned)misses_of_call * BETWEEN_NS;
		if (!misses(try))
			return false;
		early += try->early;
		misses_of_call += !try->early;
	}
	return misses_of_call == TRIES;
}

/* The C library passes the list to a thread, which it may have to make, before it waits: a handler
 * that runs meanwhile ends nothing, also in a plain run. */
static unsigned library_us(const struct way *way)
{
	return way->wait == by_lio_listio ? LISTING_US : 0;
}

static void sweep(const struct way *way, bool again, const char *how)
{
	int missed = 0, wrong = 0;

	for (size_t i = 0; i < DELAYS; i++) {
		const unsigned delay_us = again ? short_delays_us[i] : delays_us[i];
		struct try try = {
			.way = way, .delay_us = delay_us + library_us(way), .again = again};

		missed += misses_again(&try);
		wrong += try.error != EINTR;
	}
	if (missed || wrong)
		printf("%s, %s: %d of %d not ended, %d without EINTR\n", way->name, how, missed,
		       (int)DELAYS, wrong);
	else
		printf("%s, %s: ended\n", way->name, how);
	fflush(stdout);
}

static bool misses_again_as_program(size_t way, unsigned delay_us)
{
	int misses_of_call = 0;

	for (int early = 0; early < EARLY_MOST && misses_of_call < TRIES;) {
		bool is_early;

		/* The call's pages are touched for the first time, which takes some us. */
		if (!misses_as_program(way, delay_us + (unsigned)misses_of_call * PAGES_US,
				       &is_early))
			return false;
		early += is_early;
		misses_of_call += !is_early;
	}
	return misses_of_call == TRIES;
}

static void sweep_programs(size_t way)
{
	int missed = 0;

	for (size_t i = 0; i < DELAYS; i++)
		missed += misses_again_as_program(way, delays_us[i]);
	if (missed)
		printf("%s, the first call of a program: %d of %d not ended\n", ways[way].name,
		       missed, (int)DELAYS);
	else
		printf("%s, the first call of a program: ended\n", ways[way].name);
	fflush(stdout);
}

static void goes_on(void)
{
	const struct way way = {"sem_wait", by_sem_wait};
	int ended = 0;

	handle(count_and_post, SA_RESTART);
	for (size_t i = 0; i < DELAYS; i++) {
		struct try try = {.way = &way, .delay_us = delays_us[i]};

		ended += !misses(&try) || try.error || try.count != 2;
	}
	printf("sem_wait after a handler that restarts it: %d ended\n", ended);
}

static void fill(int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	while (write(fd, "", 1) == 1)
		;
	fcntl(fd, F_SETFL, flags);
}

/* Makes the objects full to which the calls send, and locks a file by another description of it. */
static void prepare_full(void)
{
	struct flock lock = {.l_type = F_WRLCK};
	char name[] = "/tmp/tactus-entered-XXXXXX";

	if (pipe(full_pipe) || socketpair(AF_UNIX, SOCK_STREAM, 0, full_pair))
		abort();
	fill(full_pipe[1]);
	fill(full_pair[0]);
	full_messages = msgget(IPC_PRIVATE, 0600);
	while (!msgsnd(full_messages, &filling, sizeof(filling.text), IPC_NOWAIT))
		;
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	locked[0] = mkstemp(name);
	locked[1] = open(name, O_RDWR);
	unlink(name);
	fcntl(locked[0], F_OFD_SETLK, &lock);
	flock(locked[0], LOCK_EX);
}

/* Objects whose other end does nothing, and a child that does not end. */
static void prepare_ends(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const pid_t parent = getpid();

	snprintf(fifo, sizeof(fifo), "/tmp/tactus-entered-%d", (int)parent);
	unlink(fifo);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, empty_pair) || mkfifo(fifo, 0600))
		abort();
	/* By a name that Linux chooses. */
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t)) || listen(listener, 1))
		abort();
	living = fork();
	if (living)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent)
		pause();
	_exit(0);
}

static void prepare(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
	struct epoll_event member = {.events = EPOLLIN};
	static char room[8];
	char name[32];

	snprintf(name, sizeof(name), "/tactus-entered-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	mq_unlink(name);
	attributes.mq_maxmsg = 1;
	full = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	mq_unlink(name);
	mq_send(full, "", 1, 0);
	sem_init(&sem, 0, 0);
	event = eventfd(0, 0);
	waiting = epoll_create1(0);
	if (pipe(ends))
		abort();
	epoll_ctl(waiting, EPOLL_CTL_ADD, event, &member);
	messages = msgget(IPC_PRIVATE, 0600);
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &awaited, NULL);
	reading = (struct aiocb){.aio_fildes = ends[0], .aio_buf = room, .aio_nbytes = 1};
	aio_read(&reading);
}

int main(int count_of, char **arguments)
{
	if (count_of == 3)
		return be_program(arguments[1], arguments[2]);
	for (size_t i = 0; i < FIRST_WAYS; i++)
		sweep_programs(i);
	prepare();
	prepare_full();
	prepare_ends();
	handle(count, 0);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		sweep(&ways[i], false, "the first call");
		sweep(&ways[i], true, "a later one");
	}
	handle(count, SA_RESTART);
	for (size_t i = 0; i < sizeof(ways_of_any) / sizeof(ways_of_any[0]); i++)
		sweep(&ways_of_any[i], true, "by one of SA_RESTART");
	goes_on();
	msgctl(messages, IPC_RMID, NULL);
	msgctl(full_messages, IPC_RMID, NULL);
	semctl(semaphores, 0, IPC_RMID);
	unlink(fifo);
	kill(living, SIGKILL);
	waitpid(living, NULL, 0);
	return 0;
}
