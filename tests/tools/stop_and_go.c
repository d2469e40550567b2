/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that is stopped, by SIGSTOP or by a debugger, for longer than its watchdog allows. All
 * its tasks stand still together, no task is blamed afterwards, and the counts continue from their
 * values.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tactus/tact.h>

#define WATCHDOG_MS 1000u
#define STOPPED_MS  2500u /* longer than the watchdog's limit plus the length of its rounds */
#define CHUNK_MS    50u   /* computed without a wait: far below the limit */
#define PERIOD_MS   5u
#define LIMIT_MS    20000u
#define THREADS_MAX 64

enum { FAIL = 1, SKIP = 2 };

/* Seen by the parent while the program is stopped. */
struct progress {
	_Atomic uint64_t steps;    /* of the task that computes */
	_Atomic uint64_t releases; /* of the periodic task */
	_Atomic uint64_t missed;   /* releases that were reported to it as missed */
	_Atomic uint32_t go_on;    /* the parent has finished */
	_Atomic uint32_t started;
};

static struct progress *progress;

static __attribute__((noinline)) void step(void)
{
	for (volatile int i = 0; i < 20000; i++)
		;
	progress->steps++;
}

/* Counts its own steps and not the time, because time passes while the program stands still. */
static void compute(void *arg)
{
	uint64_t begin = tact_now().ns, chunk = 0;

	(void)arg;
	for (; tact_now().ns - begin < TACT_MS(CHUNK_MS); chunk++)
		step();
	while (!progress->go_on) {
		for (uint64_t i = 0; i < chunk; i++)
			step();
		(void)tact_task_sleep(TACT_MS(10));
	}
}

static void beat(void *arg)
{
	tact_time_t first = tact_time_add(tact_now(), TACT_MS(20));
	uint64_t missed;

	(void)arg;
	if (tact_task_set_periodic(TACT_SELF, first, TACT_MS(PERIOD_MS)))
		_exit(FAIL);
	while (!progress->go_on) {
		int result = tact_task_wait_period(&missed, NULL);

		if (result && result != -TACT_ETIMEDOUT)
			_exit(FAIL);
		if (result)
			progress->missed += missed;
		else
			progress->releases++;
	}
	(void)tact_task_suspend(TACT_SELF);
}

static int look_back(tact_task_t beating)
{
	struct tact_cpu_info cpu = {0};
	struct tact_task_info task = {0};

	if (tact_cpu_inquire(0, &cpu) || tact_task_inquire(beating, &task))
		return FAIL;
	if (cpu.watchdog_hits || cpu.faults) {
		fprintf(stderr, "# watchdog hits: expected 0, actual %llu; faults: %llu\n",
			(unsigned long long)cpu.watchdog_hits, (unsigned long long)cpu.faults);
		return FAIL;
	}
	if (task.overruns < STOPPED_MS / PERIOD_MS) {
		fprintf(stderr, "# overruns: expected %u at least, actual %llu\n",
			STOPPED_MS / PERIOD_MS, (unsigned long long)task.overruns);
		return FAIL;
	}
	return 0;
}

/* The tasks end by themselves, and the nucleus has counted what was reported to them. */
static int end(tact_task_t computing, tact_task_t beating)
{
	struct tact_task_info task = {0};
	int result = look_back(beating);

	if (result || tact_task_join(computing, tact_in(TACT_S(10))))
		return FAIL;
	for (int i = 0; i < 1000; i++) {
		if (tact_task_inquire(beating, &task))
			return FAIL;
		if (task.state & TACT_TASK_STATE_SUSPENDED)
			break;
		usleep(1000);
	}
	if (task.overruns != progress->missed) {
		fprintf(stderr, "# overruns: told %llu, counted %llu\n",
			(unsigned long long)progress->missed, (unsigned long long)task.overruns);
		return FAIL;
	}
	return tact_stop() ? FAIL : 0;
}

static int program(void)
{
	struct tact_config config = {.name = "stopped", .share = 1, .watchdog_ms = WATCHDOG_MS};
	/* The CPU switches to no other task while it computes: only its steps show that it
	 * continues. */
	struct tact_task_attr high = {.name = "compute", .priority = 20};
	struct tact_task_attr low = {.name = "beat", .priority = 10};
	char reason[TACT_REASON_BYTES];
	tact_task_t computing, beating;

	alarm(LIMIT_MS / 1000 * 6);
	for (int i = 0; tact_start(&config, reason); i++) {
		if (i == 500) {
			fprintf(stderr, "# %s\n", reason);
			return FAIL;
		}
		usleep(100000);
	}
	progress->started = 1;
	if (tact_task_spawn(&high, compute, NULL, &computing) ||
	    tact_task_spawn(&low, beat, NULL, &beating))
		return FAIL;
	while (!progress->go_on)
		usleep(10000);
	return end(computing, beating);
}

static bool stop_by_signal(pid_t pid)
{
	int status;

	return !kill(pid, SIGSTOP) && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status);
}

static void go_by_signal(pid_t pid)
{
	kill(pid, SIGCONT);
}

static pid_t traced[THREADS_MAX];
static int traced_count;

/* As a debugger does: each thread separately. */
static bool stop_by_ptrace(pid_t pid)
{
	char path[64];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	traced_count = 0;
	while (folder && (entry = readdir(folder)) && traced_count < THREADS_MAX) {
		pid_t thread = atoi(entry->d_name);
		int status;

		if (thread <= 0)
			continue;
		if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) ||
		    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) ||
		    waitpid(thread, &status, __WALL) != thread)
			break;
		traced[traced_count++] = thread;
	}
	if (folder)
		closedir(folder);
	return traced_count > 1;
}

static void go_by_ptrace(pid_t pid)
{
	(void)pid;
	while (traced_count)
		ptrace(PTRACE_DETACH, traced[--traced_count], NULL, NULL);
}

struct way {
	const char *name;
	bool (*stop)(pid_t pid);
	void (*go)(pid_t pid);
};

/* Wait until both tasks have made some further steps. False: they did not. */
static bool both_go_on(void)
{
	uint64_t steps = progress->steps + 200, releases = progress->releases + 2;

	for (uint32_t i = 0; i < LIMIT_MS; i++) {
		if (progress->steps > steps && progress->releases > releases)
			return true;
		usleep(1000);
	}
	return false;
}

/* No count changes for the whole time. */
static bool both_stand_still(void)
{
	uint64_t steps = progress->steps, releases = progress->releases;

	for (uint32_t i = 0; i < STOPPED_MS; i += 100) {
		usleep(100000);
		if (progress->steps != steps || progress->releases != releases)
			return false;
	}
	return true;
}

static int stop_and_go(pid_t pid, const struct way *way, const char **why)
{
	/* Another program may have the CPU for a while. */
	*why = "the program did not start";
	for (int i = 0; !progress->started; i++) {
		if (i == 600)
			return FAIL;
		usleep(100000);
	}
	*why = "the tasks do not run";
	if (!both_go_on())
		return FAIL;
	*why = "the program cannot be stopped in this way here";
	if (!way->stop(pid))
		return SKIP;
	*why = "a task went on while the program was stopped";
	if (!both_stand_still()) {
		way->go(pid);
		return FAIL;
	}
	way->go(pid);
	*why = "the tasks did not go on after the stop";
	return both_go_on() ? 0 : FAIL;
}

static void run_case(int number, const struct way *way, bool *good)
{
	const char *why = "";
	int status = 0, result;
	pid_t pid;

	memset(progress, 0, sizeof(*progress));
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		exit(program());
	result = stop_and_go(pid, way, &why);
	progress->go_on = 1;
	if (result == FAIL)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (result == 0 && status) {
		result = FAIL;
		why = "the program found something wrong";
	}
	*good &= result != FAIL;
	printf("%s %d - %s", result == FAIL ? "not ok" : "ok", number, way->name);
	printf(result == SKIP ? " # SKIP %s\n" : result == FAIL ? "\n# %s\n" : "\n", why);
}

int main(void)
{
	static const struct way ways[] = {
		{"sigstop_freezes_tasks_and_watchdog", stop_by_signal, go_by_signal},
		{"debugger_freezes_tasks_and_watchdog", stop_by_ptrace, go_by_ptrace},
	};
	bool good = true;

	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (progress == MAP_FAILED)
		return 1;
	printf("1..2\n");
	for (int i = 0; i < 2; i++)
		run_case(i + 1, &ways[i], &good);
	return good ? 0 : 1;
}
