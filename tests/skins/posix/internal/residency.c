/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Moves between this library and Linux, with a kind made for this test: a number, of which one part
 * may be here and the other part is "in Linux". In the middle of a move, each case does what
 * another thread, a handler or a fork could do there. TAP.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "posix/libc/real.h"
#include "posix/state/linux_call.h"
#include "posix/state/residency.h"

#define IN_LINUX UINT64_MAX
#define ROUNDS   2000
#define PATIENCE 1000

struct posix_real posix_real = {
	.syscall = syscall,
	.sigprocmask = sigprocmask,
	.pthread_mutex_lock = pthread_mutex_lock,
	.pthread_mutex_unlock = pthread_mutex_unlock,
};

struct number {
	struct posix_residency residency; /* first */
	_Atomic uint64_t here;            /* or IN_LINUX */
	_Atomic uint64_t there;           /* only used between enter() and leave(), and by moves */
	_Atomic int users;                /* threads in Linux for it */
};

static struct posix_residency_domain domain = POSIX_RESIDENCY_DOMAIN_FREE;
static unsigned count, failed;
static unsigned imports, exports, lefts;
static enum posix_residency_state seen;
/* Called in the middle of an import, before the guard, and with the guard. */
static void (*meanwhile)(struct number *number), (*before)(struct number *number),
	(*guarded)(struct number *number);

/* No thread of this program is a task, and so none may be denied a call of Linux. */
bool posix_linux_begin(void)
{
	return false;
}

void posix_linux_end(bool denied)
{
	(void)denied;
}

static void expect(const char *what, uint64_t actual, uint64_t expected)
{
	const int well = actual == expected;

	printf("%s %u - %s\n", well ? "ok" : "not ok", ++count, what);
	if (!well)
		printf("# %" PRIu64 ", expected %" PRIu64 "\n", actual, expected);
	failed += !well;
}

static bool is_resident(const struct posix_residency *residency)
{
	return atomic_load(&((const struct number *)residency)->here) != IN_LINUX;
}

static void happens(void (**what)(struct number *number), const struct posix_residency *residency)
{
	void (*once)(struct number * number) = *what;

	*what = NULL;
	if (once)
		once((struct number *)(uintptr_t)residency);
}

static bool is_unused(const struct posix_residency *residency)
{
	const struct number *number = (const struct number *)residency;

	return !atomic_load(&residency->pinned) && !atomic_load(&number->users);
}

static bool is_quiet(const struct posix_residency *residency)
{
	const bool quiet = is_unused(residency);

	happens(&before, residency);
	return quiet;
}

static bool is_quiet_guarded(const struct posix_residency *residency)
{
	happens(&guarded, residency);
	return is_unused(residency);
}

static bool import(struct posix_residency *residency)
{
	struct number *number = (struct number *)residency;

	imports++;
	seen = posix_residency_state(residency);
	happens(&meanwhile, residency);
	atomic_store(&number->here, atomic_exchange(&number->there, 0));
	errno = EIO;
	return true;
}

static void export(struct posix_residency *residency)
{
	struct number *number = (struct number *)residency;

	exports++;
	seen = posix_residency_state(residency);
	happens(&meanwhile, residency);
	atomic_fetch_add(&number->there, atomic_exchange(&number->here, IN_LINUX));
	errno = EIO;
}

static void left(const struct posix_residency *residency)
{
	lefts += posix_residency_state(residency) != POSIX_MOVING;
}

static const struct posix_residency_kind kind = {
	.domain = &domain,
	.is_resident = is_resident,
	.is_quiet = is_quiet,
	.is_quiet_guarded = is_quiet_guarded,
	.import = import,
	.export = export,
	.left = left,
};

/* A new number, in Linux. */
static void begin(struct number *number)
{
	*number = (struct number){.here = IN_LINUX, .there = 7};
	atomic_store(&number->residency.kind, &kind);
	imports = exports = lefts = 0;
	errno = 0;
}

static void enter(struct number *number)
{
	atomic_fetch_add(&number->users, 1);
	posix_residency_export(&number->residency);
}

static void leave(struct number *number)
{
	atomic_fetch_sub(&number->users, 1);
}

static void comes_and_goes(void)
{
	struct number number;

	begin(&number);
	expect("begins in Linux", posix_residency_state(&number.residency), POSIX_KERNEL);
	expect("is imported", posix_residency_import(&number.residency), true);
	expect("moves during the import", seen, POSIX_MOVING);
	expect("is resident", posix_residency_state(&number.residency), POSIX_USER);
	expect("with what Linux had", number.here, 7);
	expect("and Linux has nothing of it", number.there, 0);
	expect("stays resident", posix_residency_import(&number.residency), true);
	expect("without a second import", imports, 1);
	posix_residency_settle(&number.residency);
	expect("and stays resident while it is quiet", posix_residency_state(&number.residency),
	       POSIX_USER);
	seen = POSIX_KERNEL;
	posix_residency_export(&number.residency);
	expect("moves during the export", seen, POSIX_MOVING);
	expect("is in Linux again", posix_residency_state(&number.residency), POSIX_KERNEL);
	expect("with what it had", number.there, 7);
	expect("the waiters are told when it is in Linux", lefts, 1);
	posix_residency_export(&number.residency);
	expect("one that is in Linux is not exported again", exports, 1);
	expect("and errno is as it was", (uint64_t)errno, 0);
}

static void stays_where_it_is_used(void)
{
	struct number number;

	begin(&number);
	enter(&number);
	expect("one in use is not imported", posix_residency_import(&number.residency), false);
	leave(&number);
	expect("when it is no longer in use, it is imported",
	       posix_residency_import(&number.residency), true);
	atomic_store(&number.users, 1);
	posix_residency_settle(&number.residency);
	expect("one that is no longer quiet is exported", posix_residency_state(&number.residency),
	       POSIX_KERNEL);
	leave(&number);
	atomic_store(&number.residency.pinned, true);
	expect("a pinned one has the state PINNED", posix_residency_state(&number.residency),
	       POSIX_PINNED);
	expect("and is not imported", posix_residency_import(&number.residency), false);
	expect("and no import was tried", imports, 1);
}

/* The first step of a thread that enters, before it looks whether the object moves. */
static void uses(struct number *number)
{
	atomic_fetch_add(&number->users, 1);
}

static void pins(struct number *number)
{
	atomic_store(&number->residency.pinned, true);
}

static void ends(struct number *number)
{
	atomic_store(&number->residency.kind, NULL);
}

static void comes(struct number *number)
{
	(void)posix_residency_import(&number->residency);
}

static void is_overtaken(void)
{
	struct number number;

	begin(&number);
	before = uses;
	expect("one that is used before the guard is not imported",
	       posix_residency_import(&number.residency), false);
	expect("and was not touched", imports, 0);
	begin(&number);
	guarded = pins;
	expect("one that is pinned with the guard is not imported",
	       posix_residency_import(&number.residency), false);
	expect("and was not touched", imports, 0);
	begin(&number);
	meanwhile = uses;
	expect("one that is used in the middle is not imported for the caller",
	       posix_residency_import(&number.residency), false);
	expect("it was here", imports, 1);
	expect("and is in Linux again", posix_residency_state(&number.residency), POSIX_KERNEL);
	expect("with what it had", number.there, 7);
	begin(&number);
	before = ends;
	expect("one that ends before the guard is not imported",
	       posix_residency_import(&number.residency), false);
	expect("and was not touched", imports, 0);
	expect("it can no longer be imported", posix_residency_import(&number.residency), false);
	posix_residency_export(&number.residency);
	expect("or exported", exports, 0);
	begin(&number);
	before = comes;
	expect("one that another thread imports meanwhile is here",
	       posix_residency_import(&number.residency), true);
	expect("by one import", imports, 1);
	expect("with what it had", number.here, 7);
}

static struct number *interrupted;
static _Atomic int handled;

static void goes_to_linux(int signal)
{
	(void)signal;
	enter(interrupted);
	atomic_fetch_add(&handled, 1);
}

static void raises(struct number *number)
{
	(void)number;
	raise(SIGUSR1);
	handled += 10 * !!handled;
}

static void is_interrupted(void)
{
	const struct sigaction action = {.sa_handler = goes_to_linux};
	struct number number;
	sigset_t now;

	begin(&number);
	interrupted = &number;
	sigaction(SIGUSR1, &action, NULL);
	meanwhile = raises;
	(void)posix_residency_import(&number.residency);
	expect("a handler runs after the import", (uint64_t)handled, 1);
	expect("and finds it in Linux", posix_residency_state(&number.residency), POSIX_KERNEL);
	leave(&number);
	(void)posix_residency_import(&number.residency);
	handled = 0;
	meanwhile = raises;
	posix_residency_export(&number.residency);
	expect("a handler runs after the export", (uint64_t)handled, 1);
	sigprocmask(SIG_BLOCK, NULL, &now);
	expect("signals are open as before", (uint64_t)sigismember(&now, SIGUSR1), 0);
}

/* A child that is made in the middle of another thread's move can move an object. */
static struct number other;

static void *holds(void *ends)
{
	posix_residency_move_begin(&other.residency, &domain);
	pthread_barrier_wait(ends);
	pthread_barrier_wait(ends);
	posix_residency_move_end(&other.residency, &domain);
	return NULL;
}

static void forks_in_the_middle(void)
{
	pthread_barrier_t both;
	struct number number;
	pthread_t thread;
	int status = -1;
	pid_t child;

	begin(&other);
	begin(&number);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&thread, NULL, holds, &both);
	pthread_barrier_wait(&both);
	expect("what another thread moves is moving", posix_residency_state(&other.residency),
	       POSIX_MOVING);
	child = fork();
	if (!child) {
		alarm(20);
		posix_residency_forked(&domain);
		posix_residency_object_forked(&other.residency);
		_exit(posix_residency_import(&number.residency) &&
				      posix_residency_state(&other.residency) == POSIX_KERNEL
			      ? 0
			      : 1);
	}
	waitpid(child, &status, 0);
	expect("a fork's child moves one while another thread did", (uint64_t)status, 0);
	pthread_barrier_wait(&both);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&both);
}

static bool take(struct number *number)
{
	uint64_t now = atomic_load(&number->here);

	do
		if (now == IN_LINUX || !now)
			return false;
	while (!atomic_compare_exchange_weak(&number->here, &now, now - 1));
	return true;
}

static struct number contended;
static _Atomic unsigned misplaced, giving;

/* In every other round the thread enters Linux as soon as the number moves here, or is here. */
static void wait_for_move(int round)
{
	for (int i = 0; i < PATIENCE && round % 2; i++) {
		if (posix_residency_state(&contended.residency) != POSIX_KERNEL)
			return;
		sched_yield();
	}
}

/* Adds one unit after another in Linux, and checks that the number is not in two places. */
static void *gives(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		wait_for_move(i);
		enter(&contended);
		misplaced += is_resident(&contended.residency);
		atomic_fetch_add(&contended.there, 1);
		misplaced += posix_residency_state(&contended.residency) == POSIX_USER;
		leave(&contended);
	}
	atomic_fetch_sub(&giving, 1);
	return unused;
}

static void *takes(void *taken)
{
	uint64_t *units = taken;

	while (atomic_load(&giving))
		if (posix_residency_import(&contended.residency))
			*units += take(&contended);
	return NULL;
}

static void loses_nothing(void)
{
	pthread_t threads[3];
	uint64_t taken = 0;

	begin(&contended);
	atomic_store(&giving, 2);
	pthread_create(&threads[0], NULL, gives, NULL);
	pthread_create(&threads[1], NULL, gives, NULL);
	pthread_create(&threads[2], NULL, takes, &taken);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	expect("it moved in both directions", imports > 10 && exports > 10, true);
	posix_residency_export(&contended.residency);
	expect("no thread in Linux found it here", misplaced, 0);
	expect("each unit that was given was taken or is in Linux", taken + contended.there,
	       7 + 2 * ROUNDS);
}

int main(void)
{
	expect("Linux makes barriers in all threads", posix_residency_may_begin(&domain), true);
	comes_and_goes();
	stays_where_it_is_used();
	is_overtaken();
	is_interrupted();
	forks_in_the_middle();
	loses_nothing();
	printf("1..%u\n", count);
	return failed != 0;
}
