/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The process of modules. As a server it answers tactus rtai, one connection after the other, until
 * the last module is gone; the name of its socket disappears with it. To run objects for a time, it
 * loads them, sleeps, and unloads them in the opposite order.
 *
 * A request is one message: words, each with a terminating 0. Answers are messages that begin with
 * a letter: B the request was taken, L the log, T text, E errors, S the last one, with an error
 * number.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "module.h"
#include "rtai_module_host.h"

#define REQUEST_BYTES (64u << 10)
#define PIECE_BYTES   4096u
#define WORDS         256u
#define CLOSE_ENOUGH  1000000 /* ns between two looks at programs */

static void send_part(int connection, char letter, const char *text, size_t bytes)
{
	char message[PIECE_BYTES + 1];

	message[0] = letter;
	while (bytes) {
		const size_t piece = bytes < PIECE_BYTES ? bytes : PIECE_BYTES;

		memcpy(message + 1, text, piece);
		if (send(connection, message, piece + 1, MSG_NOSIGNAL) < 0)
			return;
		text += piece;
		bytes -= piece;
	}
}

static void send_log(const char *text, size_t bytes, void *arg)
{
	send_part(*(int *)arg, 'T', text, bytes);
}

static int let_pass(const char *ns, FILE *told)
{
	const long long wanted = atoll(ns);

	if (wanted < 1) {
		fprintf(told, "%s is no time\n", ns);
		return EINVAL;
	}
	return rt_sleep(wanted) ? EINTR : 0;
}

/* A server has no time at which a program would have to be over. */
static int insert(const char *path, char **values, FILE *told)
{
	struct object_file file;
	const bool program = !object_open(&file, path) && !object_defines(&file, "init_module") &&
			     object_defines(&file, "main");

	object_close(&file);
	if (!program)
		return module_insert(path, values, told);
	fprintf(told, "%s: it is a program and no module: tactus rtai run has both\n", path);
	return ENOEXEC;
}

static int obey(int connection, char **words, FILE *told, FILE *text)
{
	if (!words[0])
		return EINVAL;
	if (!strcmp(words[0], "insmod") && words[1])
		return insert(words[1], words + 2, told);
	if (!strcmp(words[0], "rmmod") && words[1])
		return module_remove(words[1], told);
	if (!strcmp(words[0], "sleep") && words[1])
		return let_pass(words[1], told);
	if (!strcmp(words[0], "core"))
		fprintf(text, "%s\n", RTAI_CORE);
	else if (!strcmp(words[0], "lsmod"))
		module_list(text);
	else if (!strcmp(words[0], "dmesg"))
		log_read(send_log, &connection);
	else
		return ENOSYS;
	return 0;
}

static void answer(int connection)
{
	static char request[REQUEST_BYTES + 1];
	char *words[WORDS + 1] = {NULL};
	char *errors = NULL;
	char *text = NULL;
	char status[16];
	size_t errors_bytes = 0;
	size_t text_bytes = 0;
	size_t count = 0;
	FILE *told = open_memstream(&errors, &errors_bytes);
	FILE *listed = open_memstream(&text, &text_bytes);
	ssize_t bytes = recv(connection, request, REQUEST_BYTES, 0);

	if (bytes > 0 && told && listed) {
		int error;

		request[bytes] = 0;
		for (char *word = request; word < request + bytes && count < WORDS;
		     word += strlen(word) + 1)
			words[count++] = word;
		send_part(connection, 'B', "-", 1);
		log_send_to(connection);
		error = obey(connection, words, told, listed);
		log_send_to(-1);
		fclose(told);
		fclose(listed);
		send_part(connection, 'T', text, text_bytes);
		send_part(connection, 'E', errors, errors_bytes);
		(void)snprintf(status, sizeof(status), "%d", error);
		send_part(connection, 'S', status, strlen(status));
	}
	free(errors);
	free(text);
	close(connection);
}

/* Others of this machine may connect, and are not heard. */
static bool is_friend(int connection)
{
	struct ucred other;
	socklen_t bytes = sizeof(other);

	return !getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &bytes) &&
	       (other.uid == geteuid() || other.uid == 0);
}

static int listen_at(const char *name)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	const int length = snprintf(at.sun_path + 1, sizeof(at.sun_path) - 1, "%s", name);
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (length >= (int)sizeof(at.sun_path) - 1) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (fd < 0 ||
	    bind(fd, (struct sockaddr *)&at,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) ||
	    listen(fd, 8))
		return -1;
	return fd;
}

/* What a module wrote before its fault shall arrive. The fault occurs again after that. */
static void let_log_arrive(int number)
{
	const struct timespec a_moment = {.tv_nsec = 50000000};

	(void)nanosleep(&a_moment, NULL);
	(void)signal(number, SIG_DFL);
}

static void expect_faults(void)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		(void)signal(faults[i], let_log_arrive);
}

static int serve(const char *name)
{
	const struct timeval patience = {.tv_sec = 5};
	const int fd = listen_at(name);
	int error;

	if (fd < 0) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		return 1;
	}
	/* Whoever started this process waits for this line. */
	if (puts("ready") < 0 || fflush(stdout))
		return 1;
	error = log_begin();
	if (error)
		return 1;
	rtai_module_serve_files();
	expect_faults();
	do {
		const int connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

		if (connection < 0)
			continue;
		/* One client that stands still must not keep the others waiting. */
		(void)setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
		(void)setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
		if (is_friend(connection))
			answer(connection);
		else
			close(connection);
	} while (module_first());
	return 0;
}

struct started {
	struct module *module;
	int result;
	_Atomic bool over;
};

static void *run_program(void *arg)
{
	struct started *started = arg;
	char *words[WORDS + 2] = {started->module->name};
	int count = 1;

	for (char **value = started->module->values; *value && count <= (int)WORDS; value++)
		words[count++] = *value;
	started->result = started->module->program(count, words);
	started->over = true;
	return NULL;
}

/* Until all programs are over, or the time is. */
static int run_all(long long ns)
{
	static struct started started[WORDS];
	const RTIME end = rt_get_time() + ns;
	size_t count = 0;
	size_t over = 0;
	int result = 0;

	for (struct module *module = module_first(); module; module = module->next)
		if (module->program && count < WORDS) {
			started[count].module = module;
			if (!rt_thread_create((void *)run_program, &started[count], 1 << 20))
				return 1;
			count++;
		}
	if (!count && ns > 0)
		(void)rt_sleep(ns);
	while (over < count && (ns <= 0 || rt_get_time() < end)) {
		(void)rt_sleep(CLOSE_ENOUGH);
		for (over = 0; over < count && started[over].over; over++)
			;
	}
	for (size_t i = 0; i < count; i++)
		if (started[i].over && started[i].result)
			result = started[i].result;
	if (over < count)
		fprintf(stdout, "%s: it has not ended in its time\n", started[over].module->name);
	fflush(stdout);
	return over < count ? 1 : result;
}

static bool is_value(const char *word)
{
	return word[strcspn(word, "=/")] == '=';
}

static int remove_all(void)
{
	int error = 0;

	while (module_first() && !error) {
		struct module *last = module_first();

		while (last->next)
			last = last->next;
		error = module_remove(last->name, stdout);
	}
	return error;
}

static int run(long long ns, char **words)
{
	int result = 0;

	/* The log and what programs print are in the order in which they come. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
		return 1;
	while (*words && !result) {
		char **values = words + 1;
		char *kept[WORDS + 1] = {NULL};
		size_t count = 0;

		while (*values && is_value(*values) && count < WORDS)
			kept[count++] = *values++;
		result = module_insert(*words, kept, stdout);
		words = values;
	}
	if (!result)
		result = run_all(ns);
	return remove_all() || result;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve(argv[2]);
	if (argc > 3 && !strcmp(argv[1], "run"))
		return run(atoll(argv[2]), argv + 3);
	fprintf(stderr, "this is a part of tactus rtai\n");
	return 2;
}
