/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks of a program before it is run. If the dynamic linker would silently run it without this
 * library, it is refused here, with the reason.
 */
#define _GNU_SOURCE
#include "posix/process/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NOT_FOUND    127
#define NOT_RUNNABLE 126
#define SCRIPTS      4 /* interpreters of interpreters, as Linux allows */

struct answer {
	char *reason;
	size_t bytes;
};

static __attribute__((format(printf, 3, 4))) int refuse(const struct answer *answer, int status,
							const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(answer->reason, answer->bytes, format, arguments);
	va_end(arguments);
	return status;
}

static bool is_program(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

/* As execvp(): a name with a slash is a path; any other name is searched for. */
static int find(const char *name, char path[PATH_MAX], const struct answer *answer)
{
	const char *rest = getenv("PATH");
	struct stat status;

	if (strchr(name, '/')) {
		if (stat(name, &status))
			return refuse(answer, NOT_FOUND, "%s: %s", name, strerror(errno));
		if (!is_program(name))
			return refuse(answer, NOT_RUNNABLE, "%s is not an executable file", name);
		snprintf(path, PATH_MAX, "%s", name);
		return 0;
	}
	if (!rest)
		rest = "/bin:/usr/bin";
	while (*name) {
		size_t length = strcspn(rest, ":");

		snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, rest, length ? "/" : "", name);
		if (is_program(path))
			return 0;
		if (!rest[length])
			break;
		rest += length + 1;
	}
	return refuse(answer, NOT_FOUND, "no program '%s' on PATH: give its path", name);
}

/* If the program runs with other rights than the caller's, the dynamic linker takes no library from
 * the environment. */
static int check_rights(const char *path, int file, const struct answer *answer)
{
	struct stat status;

	if (fstat(file, &status))
		return refuse(answer, NOT_RUNNABLE, "%s: %s", path, strerror(errno));
	if ((status.st_mode & S_ISUID && status.st_uid != getuid()) ||
	    (status.st_mode & S_ISGID && status.st_gid != getgid()))
		return refuse(answer, NOT_RUNNABLE,
			      "%s runs with the rights of its owner (setuid or setgid), so Linux "
			      "preloads no library into it: run it as its owner, or clear the bit "
			      "in a copy",
			      path);
	if (getuid() && fgetxattr(file, "security.capability", NULL, 0) > 0)
		return refuse(answer, NOT_RUNNABLE,
			      "%s has capabilities of its own, so Linux preloads no library into "
			      "it: run it as root, or remove them from a copy (setcap -r)",
			      path);
	return 0;
}

/* Is this the dynamic linker of the GNU C library for this architecture, in any folder? By its
 * name. */
static bool is_linker(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(slash ? slash + 1 : path, "ld-linux", 8);
}

static int check_interpreter(const char *path, int file, const Elf64_Phdr *header,
			     const struct answer *answer)
{
	char linker[PATH_MAX] = "";
	size_t bytes = header->p_filesz < PATH_MAX ? header->p_filesz : PATH_MAX - 1;

	if (pread(file, linker, bytes, (off_t)header->p_offset) <= 0)
		return refuse(answer, NOT_RUNNABLE, "%s is incomplete", path);
	if (is_linker(linker))
		return 0;
	return refuse(answer, NOT_RUNNABLE,
		      "%s uses %s: only programs of the GNU C library can be run", path, linker);
}

static int check_elf(const char *path, int file, const Elf64_Ehdr *elf, const struct answer *answer)
{
	if (elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_machine != EM_X86_64)
		return refuse(
			answer, NOT_RUNNABLE,
			"%s is for another architecture (machine %u, %d bits): x86-64 is needed",
			path, elf->e_machine, elf->e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64);
	for (unsigned i = 0; i < elf->e_phnum; i++) {
		off_t at = (off_t)(elf->e_phoff + (Elf64_Off)i * elf->e_phentsize);
		Elf64_Phdr header;

		if (pread(file, &header, sizeof(header), at) != sizeof(header))
			return refuse(answer, NOT_RUNNABLE, "%s is incomplete", path);
		if (header.p_type == PT_INTERP)
			return check_interpreter(path, file, &header, answer);
	}
	/* Called directly, it runs the program that follows, and loads libraries in the same
	 * way. */
	if (elf->e_type == ET_DYN && is_linker(path))
		return 0;
	return refuse(answer, NOT_RUNNABLE,
		      "%s is linked statically, so no library can replace functions of its C "
		      "library: link it dynamically",
		      path);
}

static int check_file(const char *path, const struct answer *answer, int depth);

/* "#!interpreter argument" */
static int check_script(const char *path, char *line, const struct answer *answer, int depth)
{
	line[strcspn(line, "\n")] = '\0';
	line += 2;
	line += strspn(line, " \t");
	line[strcspn(line, " \t")] = '\0';
	if (depth == SCRIPTS || !*line)
		return refuse(answer, NOT_RUNNABLE, "%s: its interpreter cannot be run", path);
	return check_file(line, answer, depth + 1);
}

static int check_file(const char *path, const struct answer *answer, int depth)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	int status;
	union {
		Elf64_Ehdr elf;
		char line[256];
	} begin = {.line = ""};
	ssize_t got;

	if (file < 0)
		return refuse(answer, errno == ENOENT ? NOT_FOUND : NOT_RUNNABLE, "%s: %s", path,
			      strerror(errno));
	got = pread(file, &begin, sizeof(begin) - 1, 0);
	status = check_rights(path, file, answer);
	if (!status) {
		if (got >= (ssize_t)sizeof(begin.elf) &&
		    !memcmp(begin.elf.e_ident, ELFMAG, SELFMAG))
			status = check_elf(path, file, &begin.elf, answer);
		else if (got > 2 && begin.line[0] == '#' && begin.line[1] == '!')
			status = check_script(path, begin.line, answer, depth);
		else
			status =
				refuse(answer, NOT_RUNNABLE,
				       "%s is neither an ELF program nor a script with '#!'", path);
	}
	close(file);
	return status;
}

int program_check(const char *name, char *reason, size_t bytes)
{
	const struct answer answer = {reason, bytes};
	char path[PATH_MAX];
	int status;

	if (!*name)
		return refuse(&answer, NOT_FOUND, "the program's name is empty");
	status = find(name, path, &answer);
	return status ? status : check_file(path, &answer, 0);
}
