/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests tell, wait at and run. A task that tells something stays in primary mode. */
#include <smokey/smokey.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static void say(FILE *stream, const char *format, va_list args)
{
	char text[512];

	(void)vsnprintf(text, sizeof(text), format, args);
	(void)fprintf(stream, "%s\n", text);
}

void smokey_note(const char *fmt, ...)
{
	va_list args;

	if (smokey_verbose_mode < 1)
		return;
	va_start(args, fmt);
	say(stdout, fmt, args);
	va_end(args);
}

void smokey_vatrace(const char *fmt, va_list ap)
{
	if (smokey_verbose_mode > 1)
		say(stdout, fmt, ap);
}

void smokey_trace(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	smokey_vatrace(fmt, args);
	va_end(args);
}

void __smokey_warning(const char *file, int lineno, const char *fmt, ...)
{
	const char *slash = strrchr(file, '/');
	char text[512];
	va_list args;

	if (smokey_verbose_mode < 1)
		return;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	(void)fprintf(stderr, "%s:%d, %s\n", slash ? slash + 1 : file, lineno, text);
}

int smokey_barrier_init(struct smokey_barrier *b)
{
	int error = pthread_mutex_init(&b->lock, NULL);

	b->signaled = 0;
	if (error)
		return error;
	error = pthread_cond_init(&b->barrier, NULL);
	if (error)
		(void)pthread_mutex_destroy(&b->lock);
	return error;
}

void smokey_barrier_destroy(struct smokey_barrier *b)
{
	(void)pthread_cond_destroy(&b->barrier);
	(void)pthread_mutex_destroy(&b->lock);
}

int smokey_barrier_timedwait(struct smokey_barrier *b, struct timespec *ts)
{
	int error = pthread_mutex_lock(&b->lock);

	if (error)
		return error;
	while (!b->signaled && !error)
		error = ts ? pthread_cond_timedwait(&b->barrier, &b->lock, ts)
			   : pthread_cond_wait(&b->barrier, &b->lock);
	(void)pthread_mutex_unlock(&b->lock);
	return error;
}

int smokey_barrier_wait(struct smokey_barrier *b)
{
	return smokey_barrier_timedwait(b, NULL);
}

void smokey_barrier_release(struct smokey_barrier *b)
{
	(void)pthread_mutex_lock(&b->lock);
	b->signaled = 1;
	(void)pthread_cond_broadcast(&b->barrier);
	(void)pthread_mutex_unlock(&b->lock);
}

int smokey_fork_exec(const char *path, const char *arg)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (!child) {
		(void)execl(path, path, arg, (char *)NULL);
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

int smokey_run_extprog(const char *base_dir, const char *prog_name, const char *args, int *exec_ret)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", base_dir, prog_name) >= (int)sizeof(path))
		*exec_ret = -ENAMETOOLONG;
	else
		*exec_ret = smokey_fork_exec(path, args);
	smokey_note("%s: %s", prog_name, *exec_ret ? "FAILED" : "OK");
	return *exec_ret && !smokey_keep_going;
}

int smokey_modprobe(const char *name, bool silent)
{
	if (!silent)
		smokey_note("%s: Xenomai's kernel modules do not exist here", name);
	return -ENOSYS;
}

int smokey_rmmod(const char *name)
{
	return smokey_modprobe(name, false);
}
