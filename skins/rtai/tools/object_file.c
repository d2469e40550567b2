/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads ELF files of 64 bits. Each offset is compared with the size of the file before it is used.
 * Source: System V ABI, chapter 4. */
#include "object_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const Elf64_Ehdr *head(const struct object_file *file)
{
	return (const void *)file->bytes;
}

static bool inside(const struct object_file *file, size_t at, size_t bytes)
{
	return at <= file->size && bytes <= file->size - at;
}

static const char *check(const struct object_file *file)
{
	const Elf64_Ehdr *elf = head(file);

	if (file->size < sizeof(*elf) || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0)
		return "it is no ELF file: compile it with cc -shared";
	if (elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_machine != EM_X86_64)
		return "it is for another machine";
	if (elf->e_type == ET_REL)
		return "it is an object that is not linked, as a .ko is: link it with cc -shared";
	if (elf->e_type != ET_DYN)
		return "it is no shared object: compile it with cc -shared -fPIC";
	if (elf->e_shentsize != sizeof(Elf64_Shdr) || elf->e_phentsize != sizeof(Elf64_Phdr) ||
	    !inside(file, elf->e_shoff, (size_t)elf->e_shnum * sizeof(Elf64_Shdr)) ||
	    !inside(file, elf->e_phoff, (size_t)elf->e_phnum * sizeof(Elf64_Phdr)) ||
	    elf->e_shstrndx >= elf->e_shnum)
		return "its headers are broken";
	return NULL;
}

const char *object_open(struct object_file *file, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	const char *wrong;
	void *memory;

	*file = (struct object_file){0};
	if (fd < 0)
		return strerror(errno);
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || !status.st_size) {
		(void)close(fd);
		return "it is no file with an object";
	}
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	(void)close(fd);
	if (memory == MAP_FAILED)
		return strerror(errno);
	*file = (struct object_file){memory, (size_t)status.st_size};
	wrong = check(file);
	if (wrong)
		object_close(file);
	return wrong;
}

void object_close(struct object_file *file)
{
	if (file->bytes)
		(void)munmap((void *)(size_t)file->bytes, file->size);
	*file = (struct object_file){0};
}

static const Elf64_Shdr *section_at(const struct object_file *file, unsigned int i)
{
	const Elf64_Shdr *all = (const void *)(file->bytes + head(file)->e_shoff);

	return i < head(file)->e_shnum ? &all[i] : NULL;
}

/* A text in a section of texts; "": there is none. */
static const char *text_at(const struct object_file *file, const Elf64_Shdr *texts, size_t at)
{
	const char *start;

	if (!texts || texts->sh_type != SHT_STRTAB ||
	    !inside(file, texts->sh_offset, texts->sh_size) || at >= texts->sh_size)
		return "";
	start = (const char *)file->bytes + texts->sh_offset;
	return memchr(start + at, 0, texts->sh_size - at) ? start + at : "";
}

size_t object_section(const struct object_file *file, const char *name, size_t *bytes)
{
	const Elf64_Shdr *names = section_at(file, head(file)->e_shstrndx);

	for (unsigned int i = 0; i < head(file)->e_shnum; i++) {
		const Elf64_Shdr *section = section_at(file, i);

		if (strcmp(text_at(file, names, section->sh_name), name) != 0)
			continue;
		*bytes = section->sh_size;
		return section->sh_addr;
	}
	*bytes = 0;
	return 0;
}

size_t object_end(const struct object_file *file)
{
	const Elf64_Phdr *all = (const void *)(file->bytes + head(file)->e_phoff);
	size_t end = 0;

	for (unsigned int i = 0; i < head(file)->e_phnum; i++)
		if (all[i].p_type == PT_LOAD && all[i].p_vaddr + all[i].p_memsz > end)
			end = all[i].p_vaddr + all[i].p_memsz;
	return end;
}

/* Calls `found` for each dynamic symbol, until it returns true. The name of that one, or NULL. */
static const char *symbols(const struct object_file *file, bool defined,
			   bool (*found)(const char *name, const void *arg), const void *arg)
{
	for (unsigned int i = 0; i < head(file)->e_shnum; i++) {
		const Elf64_Shdr *section = section_at(file, i);
		const Elf64_Sym *symbol;

		if (section->sh_type != SHT_DYNSYM || section->sh_entsize != sizeof(*symbol) ||
		    !inside(file, section->sh_offset, section->sh_size))
			continue;
		symbol = (const void *)(file->bytes + section->sh_offset);
		for (size_t k = section->sh_size / sizeof(*symbol); k > 1; k--) {
			const Elf64_Sym *one = &symbol[k - 1];
			const char *name =
				text_at(file, section_at(file, section->sh_link), one->st_name);

			if (*name && (one->st_shndx != SHN_UNDEF) == defined &&
			    ELF64_ST_BIND(one->st_info) != STB_LOCAL && found(name, arg))
				return name;
		}
	}
	return NULL;
}

static bool is_name(const char *name, const void *arg)
{
	return strcmp(name, arg) == 0;
}

bool object_defines(const struct object_file *file, const char *symbol)
{
	return symbols(file, true, is_name, symbol) != NULL;
}

static bool is_defined_in(const char *name, const void *arg)
{
	return object_defines(arg, name);
}

const char *object_uses(const struct object_file *file, const struct object_file *other)
{
	return symbols(file, false, is_defined_in, other);
}
