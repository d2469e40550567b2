/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that cannot be run, in place of the caller or beside it. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <semaphore.h>
#include <spawn.h>
#include <sys/stat.h>

#include "errors.h"

static char *arguments[] = {"x", NULL}, *long_arguments[] = {NULL, NULL};
static char folder[] = "/tmp/tactus-errors-XXXXXX", path[64], long_path[5000], long_text[1 << 18];
static pid_t made;

/* All functions except those that search a list of places. */
#define RUN_BY_PATH(name, code, file)                                                   \
	do {                                                                            \
		FAILS_CODE(name, code, execve(file, arguments, environ));               \
		FAILS_CODE(name, code, execv(file, arguments));                         \
		FAILS_CODE(name, code, execl(file, "x", NULL));                         \
		FAILS_CODE(name, code, execle(file, "x", NULL, environ));               \
		RETURNS_CODE(name, code,                                                \
			     posix_spawn(&made, file, NULL, NULL, arguments, environ)); \
	} while (0)
#define RUNS_BY_PATH(code, file) RUN_BY_PATH(#code, code, file)
#define RUNS(code, file)                                                                 \
	do {                                                                             \
		RUN_BY_PATH(#code, code, file);                                          \
		FAILS_CODE(#code, code, execvp(file, arguments));                        \
		FAILS_CODE(#code, code, execvpe(file, arguments, environ));              \
		FAILS_CODE(#code, code, execlp(file, "x", NULL));                        \
		RETURNS_CODE(#code, code,                                                \
			     posix_spawnp(&made, file, NULL, NULL, arguments, environ)); \
	} while (0)

static void make(const char *text, mode_t mode)
{
	const int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	NEED(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	NEED(!fchmod(fd, mode));
	close(fd);
}

static void not_found(void)
{
	RUNS(ENOENT, "/tactus/none");
	FAILS(ENOENT, execvp("tactus-none", arguments));
	FAILS(ENOENT, execlp("tactus-none", "x", NULL));
	RETURNS(ENOENT, posix_spawnp(&made, "tactus-none", NULL, NULL, arguments, environ));
	RUNS(ENOTDIR, "/dev/null/none");
	RUNS(ENAMETOOLONG, long_path);
	NEED(!symlink(path, path));
	RUNS(ELOOP, path);
	NEED(!unlink(path));
	make("#!/tactus/none\n", 0700);
	RUNS(ENOENT, path);
}

/* A program whose interpreter does not exist. */
static void make_uninterpreted(void)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr part;
		char interpreter[64];
	} program = {
		.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				       EV_CURRENT},
			   .e_type = ET_EXEC,
			   .e_machine = EM_X86_64,
			   .e_version = EV_CURRENT,
			   .e_phoff = sizeof(Elf64_Ehdr),
			   .e_ehsize = sizeof(Elf64_Ehdr),
			   .e_phentsize = sizeof(Elf64_Phdr),
			   .e_phnum = 1},
		.part = {.p_type = PT_INTERP},
	};
	const int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0700);

	snprintf(program.interpreter, sizeof(program.interpreter), "%s/y", folder);
	program.part.p_offset = sizeof(program.header) + sizeof(program.part);
	program.part.p_filesz = strlen(program.interpreter) + 1;
	NEED(write(fd, &program, sizeof(program)) == sizeof(program));
	close(fd);
}

static void uninterpreted(void)
{
	char interpreter[80];
	int fd;

	snprintf(interpreter, sizeof(interpreter), "%s/y", folder);
	make("as long as the header of a program has to be, which it is not, though it can be run",
	     0700);
	NEED(!rename(path, interpreter));
	make_uninterpreted();
	RUNS(ELIBBAD, path);
	fd = open(path, O_RDONLY);
	FAILS(ELIBBAD, fexecve(fd, arguments, environ));
	close(fd);
	NEED(!unlink(interpreter));
}

static void by_descriptor(void)
{
	int fd = open("/bin/true", O_RDONLY);

	FAILS(EINVAL, fexecve(-1, arguments, environ));
	FAILS(EBADF, fexecve(1000, arguments, environ));
	FAILS(E2BIG, fexecve(fd, long_arguments, environ));
	FAILS(EFAULT, fexecve(fd, nowhere(), environ));
	close(fd);
	fd = open("/", O_RDONLY);
	FAILS(EACCES, fexecve(fd, arguments, environ));
	close(fd);
	make("nothing that Linux knows\n", 0700);
	fd = open(path, O_RDONLY);
	FAILS(ENOEXEC, fexecve(fd, arguments, environ));
	close(fd);
	fd = open(path, O_RDWR);
	FAILS(ETXTBSY, fexecve(fd, arguments, environ));
	close(fd);
	/* The interpreter could not open it. */
	make("#!/bin/sh\n", 0700);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	FAILS(ENOENT, fexecve(fd, arguments, environ));
	close(fd);
}

static void not_run(void)
{
	int fd;

	RUNS(EACCES, "/");
	make("#!/bin/sh\n", 0600);
	RUNS(EACCES, path);
	make("nothing that Linux knows\n", 0700);
	RUNS_BY_PATH(ENOEXEC, path);
	make("\177ELF, but no more of it than that\n", 0700);
	fd = open(path, O_WRONLY);
	RUNS(ETXTBSY, path);
	close(fd);
}

static void too_much(void)
{
	FAILS(E2BIG, execve("/bin/true", long_arguments, environ));
	FAILS(E2BIG, execv("/bin/true", long_arguments));
	FAILS(E2BIG, execvp("/bin/true", long_arguments));
	FAILS(E2BIG, execvpe("/bin/true", long_arguments, environ));
	FAILS(E2BIG, execl("/bin/true", long_text, NULL));
	FAILS(E2BIG, execle("/bin/true", long_text, NULL, environ));
	FAILS(E2BIG, execlp("/bin/true", long_text, NULL));
	RETURNS(E2BIG, posix_spawn(&made, "/bin/true", NULL, NULL, long_arguments, environ));
	RETURNS(E2BIG, posix_spawnp(&made, "/bin/true", NULL, NULL, long_arguments, environ));
	FAILS(EFAULT, execve(nowhere(), arguments, environ));
	FAILS(EFAULT, execve("/bin/true", nowhere(), environ));
	FAILS(EFAULT, execv(nowhere(), arguments));
	FAILS(EFAULT, execl(nowhere(), "x", NULL));
	FAILS(EFAULT, execle(nowhere(), "x", NULL, environ));
	RETURNS(EFAULT, posix_spawn(&made, nowhere(), NULL, NULL, arguments, environ));
}

static sem_t crowded, enough;

static void *crowds(void *argument)
{
	NEED(geteuid() || !syscall(SYS_setresuid, NOBODY, NOBODY, 0));
	sem_post(&crowded);
	sem_wait(&enough);
	return argument;
}

static void too_many(void)
{
	const int fd = open("/bin/true", O_RDONLY);

	RUNS(EAGAIN, "/bin/true");
	FAILS(EAGAIN, fexecve(fd, arguments, environ));
	close(fd);
}

/* A process of a user with too many threads runs no program. */
static void refused_by_count(void)
{
	pthread_t other;

	sem_init(&crowded, 0, 0);
	sem_init(&enough, 0, 0);
	other = other_thread(crowds, NULL);
	sem_wait(&crowded);
	WITHOUT(RLIMIT_NPROC, AS_NOBODY(too_many()));
	sem_post(&enough);
	joined(other);
}

static void cases(void)
{
	memset(long_text, 'x', sizeof(long_text) - 1);
	memset(long_path, '/', sizeof(long_path) - 1);
	long_arguments[0] = long_text;
	strcpy(folder, "/tmp/tactus-errors-XXXXXX");
	NEED(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/x", folder);
	not_found();
	not_run();
	uninterpreted();
	by_descriptor();
	too_much();
	refused_by_count();
	NEED(!unlink(path));
	NEED(!rmdir(folder));
}

int main(void)
{
	return from_every_thread(cases);
}
