/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Child processes, their deadline, and what they leave behind: the hash or the reason in shared
 * memory, and whatever they wrote to standard error, of which the first line is kept.
 */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Runs take milliseconds: one that goes round in a loop is told soon, however busy the machine is.
 */
#define CPU_SECONDS  5
#define HOST_SECONDS 60

struct job {
	pid_t pid; /* 0: free */
	struct run run;
	int errors; /* where the child's standard error goes */
};

/* Written by the children. */
struct word {
	uint64_t hash;
	uint32_t done;
	char message[RUN_MESSAGE_BYTES];
};

static struct explore_scenario *first;
static struct job jobs[RUN_JOBS_MAX];
static struct word *words;
static uint32_t job_count;
static char *own_message;

void explore_register(struct explore_scenario *scenario)
{
	struct explore_scenario **at = &first;

	while (*at && strcmp((*at)->name, scenario->name) < 0)
		at = &(*at)->next;
	scenario->next = *at;
	*at = scenario;
}

const struct explore_scenario *run_scenarios(void)
{
	return first;
}

const struct explore_scenario *run_scenario(const char *name)
{
	const struct explore_scenario *scenario = first;

	while (scenario && strcmp(scenario->name, name) != 0)
		scenario = scenario->next;
	return scenario;
}

char *run_message(void)
{
	return own_message;
}

int run_open(uint32_t count)
{
	words = mmap(NULL, sizeof(*words) * count, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (words == MAP_FAILED)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		jobs[i].errors = memfd_create("errors", MFD_CLOEXEC);
		if (jobs[i].errors < 0)
			return -1;
	}
	job_count = count;
	return 0;
}

static void child(struct job *job, struct word *word, pid_t parent)
{
	const struct itimerval computing = {.it_value.tv_sec = CPU_SECONDS};

	/* Nothing outlives the run that was asked for. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	(void)setitimer(ITIMER_PROF, &computing, NULL);
	(void)alarm(HOST_SECONDS);
	(void)dup2(job->errors, STDERR_FILENO);
	own_message = word->message;
	word->hash = run_body(&job->run);
	word->done = 1;
	_exit(0);
}

int run_start(const struct run *run)
{
	struct job *job = jobs;
	struct word *word;
	pid_t parent = getpid();
	pid_t pid;

	while (job->pid)
		job++;
	word = &words[job - jobs];
	memset(word, 0, sizeof(*word));
	job->run = *run;
	if (ftruncate(job->errors, 0) || lseek(job->errors, 0, SEEK_SET))
		return -1;
	(void)fflush(NULL);
	pid = fork();
	if (pid < 0)
		return -1;
	if (!pid)
		child(job, word, parent);
	job->pid = pid;
	return 0;
}

static void first_line(int file, char *text, size_t capacity)
{
	ssize_t length = pread(file, text, capacity - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static void explain(const struct job *job, const struct word *word, int status,
		    struct run_result *result)
{
	char said[RUN_MESSAGE_BYTES - 100];

	if (word->message[0]) {
		memcpy(result->message, word->message, sizeof(result->message));
		result->message[sizeof(result->message) - 1] = '\0';
		return;
	}
	first_line(job->errors, said, sizeof(said));
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		(void)snprintf(result->message, sizeof(result->message),
			       "not finished after %d s: %s", HOST_SECONDS, said);
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		(void)snprintf(result->message, sizeof(result->message),
			       "not finished after %d s of computing: %s", CPU_SECONDS, said);
	else if (WIFSIGNALED(status))
		(void)snprintf(result->message, sizeof(result->message), "ended by signal %d: %s",
			       WTERMSIG(status), said);
	else
		(void)snprintf(result->message, sizeof(result->message), "exit status %d: %s",
			       WEXITSTATUS(status), said);
}

bool run_await(struct run_result *result)
{
	int status;
	pid_t pid;

	do
		pid = wait(&status);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return false;
	for (uint32_t i = 0; i < job_count; i++) {
		struct job *job = &jobs[i];
		const struct word *word = &words[i];

		if (job->pid != pid)
			continue;
		job->pid = 0;
		result->run = job->run;
		result->hash = word->hash;
		result->passed = word->done && WIFEXITED(status) && !WEXITSTATUS(status);
		result->message[0] = '\0';
		if (!result->passed)
			explain(job, word, status, result);
		return true;
	}
	return run_await(result);
}
