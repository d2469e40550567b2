/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A line of the shell:
 *   LINE       [NAME =] EXPRESSION
 *   EXPRESSION FUNCTION ARGUMENT, …   the first of a line: its arguments may stand without ( )
 *   ARGUMENT   number, 'c', "text", NAME, &NAME, -ARGUMENT, FUNCTION(ARGUMENT, …)
 * A value is an int, as in the shell of VxWorks, or an address. A name is a function (its address),
 * a variable of the program (its value), or a variable of the shell, which an assignment makes.
 * Texts are kept, because a function may keep their address.
 */
#define _GNU_SOURCE /* dladdr1() */
#include "shell.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "vxworks_internal.h"

#define NAME_BYTES 64
#define VARIABLES  64u
#define WRAPPED    "__wrap_"
#define WRONG      128
/* Each takes up to half a KiB of the stack. */
#define DEPTH_MAX 32

struct parser {
	const char *at;
	int depth;         /* of arguments in one another */
	char wrong[WRONG]; /* empty: nothing is wrong */
};

struct symbol {
	void *address;
	bool is_function;
	size_t bytes; /* of a variable */
};

static struct variable {
	char name[NAME_BYTES];
	_Vx_usr_arg_t value;
} variables[VARIABLES]; /* of the shell: an empty name ends them */

static _Vx_usr_arg_t argument(struct parser *parser);

__attribute__((format(printf, 2, 3))) static _Vx_usr_arg_t refuse(struct parser *parser,
								  const char *format, ...)
{
	va_list args;

	if (*parser->wrong)
		return 0;
	va_start(args, format);
	vsnprintf(parser->wrong, sizeof(parser->wrong), format, args);
	va_end(args);
	return 0;
}

static void skip_blanks(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static bool accepts(struct parser *parser, char wanted)
{
	skip_blanks(parser);
	if (*parser->at != wanted)
		return false;
	parser->at++;
	return true;
}

static bool begins_name(const struct parser *parser)
{
	return isalpha((unsigned char)*parser->at) || *parser->at == '_';
}

static void read_name(struct parser *parser, char name[NAME_BYTES])
{
	size_t bytes = 0;

	for (; isalnum((unsigned char)*parser->at) || *parser->at == '_'; parser->at++)
		if (bytes < NAME_BYTES - 1)
			name[bytes++] = *parser->at;
	name[bytes] = '\0';
}

static struct variable *find_variable(const char *name)
{
	for (uint32_t i = 0; i < VARIABLES && *variables[i].name; i++)
		if (!strcmp(variables[i].name, name))
			return &variables[i];
	return NULL;
}

static bool find_symbol(const char *name, struct symbol *symbol)
{
	char wrapped[NAME_BYTES + sizeof(WRAPPED)];
	const ElfW(Sym) *entry = NULL;
	Dl_info info;

	/* Of a function that the linker replaces in programs, the one that replaces it. */
	snprintf(wrapped, sizeof(wrapped), WRAPPED "%s", name);
	symbol->address = dlsym(RTLD_DEFAULT, wrapped);
	if (!symbol->address)
		symbol->address = dlsym(RTLD_DEFAULT, name);
	if (!symbol->address)
		return false;
	symbol->bytes = 0;
	symbol->is_function = false;
	if (dladdr1(symbol->address, &info, (void **)&entry, RTLD_DL_SYMENT) && entry) {
		const unsigned int type = ELF64_ST_TYPE(entry->st_info);

		symbol->is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
		symbol->bytes = type == STT_OBJECT ? entry->st_size : 0;
	}
	return true;
}

/* A variable that is no integer has its address as its value, as an array has. */
static _Vx_usr_arg_t value_of(const struct symbol *symbol)
{
	switch (symbol->bytes) {
	case sizeof(int8_t):
		return *(int8_t *)symbol->address;
	case sizeof(int16_t):
		return *(int16_t *)symbol->address;
	case sizeof(int32_t):
		return *(int32_t *)symbol->address;
	case sizeof(int64_t):
		return *(int64_t *)symbol->address;
	default:
		return (_Vx_usr_arg_t)(uintptr_t)symbol->address;
	}
}

static _Vx_usr_arg_t call(struct parser *parser, const struct symbol *function, char end)
{
	_Vx_usr_arg_t a[VXWORKS_ARGS] = {0};
	uint32_t count = 0;

	skip_blanks(parser);
	while (*parser->at && *parser->at != end) {
		if (count == VXWORKS_ARGS)
			return refuse(parser, "a function has at most %d arguments", VXWORKS_ARGS);
		a[count++] = argument(parser);
		if (*parser->wrong)
			return 0;
		skip_blanks(parser);
		if (*parser->at && *parser->at != end && !accepts(parser, ','))
			return refuse(parser, "',' is missing before '%s'", parser->at);
	}
	if (end && !accepts(parser, end))
		return refuse(parser, "'%c' is missing", end);
	return ((FUNCPTR)(uintptr_t)function->address)(a[0], a[1], a[2], a[3], a[4], a[5], a[6],
						       a[7], a[8], a[9]);
}

/* alone: the name begins an expression, so that arguments may follow it without ( ). */
static _Vx_usr_arg_t named(struct parser *parser, const char *name, bool alone)
{
	const struct variable *variable = find_variable(name);
	struct symbol symbol;

	if (variable)
		return variable->value;
	if (!find_symbol(name, &symbol))
		return refuse(parser,
			      "undefined symbol: %s (is the program linked with -rdynamic?)", name);
	if (symbol.bytes)
		return value_of(&symbol);
	if (!symbol.is_function)
		return refuse(parser, "%s is no function, and no variable with a size", name);
	if (accepts(parser, '('))
		return call(parser, &symbol, ')');
	return alone ? call(parser, &symbol, '\0') : (_Vx_usr_arg_t)(uintptr_t)symbol.address;
}

static _Vx_usr_arg_t address_of(struct parser *parser)
{
	char name[NAME_BYTES];
	struct symbol symbol;
	struct variable *variable;

	skip_blanks(parser);
	read_name(parser, name);
	variable = find_variable(name);
	if (variable)
		return (_Vx_usr_arg_t)(uintptr_t)&variable->value;
	return find_symbol(name, &symbol) ? (_Vx_usr_arg_t)(uintptr_t)symbol.address
					  : refuse(parser, "undefined symbol: %s", name);
}

/* The character after a backslash. */
static char escaped(char c)
{
	static const char pairs[] = "n\nt\tr\r0\0";

	for (size_t i = 0; i + 1 < sizeof(pairs); i += 2)
		if (pairs[i] == c)
			return pairs[i + 1];
	return c;
}

static char one_char(struct parser *parser)
{
	if (*parser->at == '\\' && parser->at[1])
		return escaped(*++parser->at);
	return *parser->at;
}

static _Vx_usr_arg_t text(struct parser *parser)
{
	char *made = malloc(strlen(parser->at) + 1);
	size_t bytes = 0;

	if (!made)
		return refuse(parser, "there is no memory left");
	for (; *parser->at && *parser->at != '"'; parser->at++)
		made[bytes++] = one_char(parser);
	made[bytes] = '\0';
	if (accepts(parser, '"'))
		return (_Vx_usr_arg_t)(uintptr_t)made;
	free(made);
	return refuse(parser, "'\"' is missing at the end of a text");
}

static _Vx_usr_arg_t number(struct parser *parser)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(parser->at, &end, 0);
	if (errno)
		return refuse(parser, "the number is too large: '%s'", parser->at);
	if (end == parser->at || isalnum((unsigned char)*end) || *end == '.')
		return refuse(parser, "not understood: '%s'", parser->at);
	parser->at = end;
	return (_Vx_usr_arg_t)value;
}

static _Vx_usr_arg_t character(struct parser *parser)
{
	const char c = *parser->at ? one_char(parser) : '\0';

	if (*parser->at)
		parser->at++;
	return accepts(parser, '\'') ? c : refuse(parser, "\"'\" is missing after a character");
}

static _Vx_usr_arg_t one_argument(struct parser *parser)
{
	char name[NAME_BYTES];

	skip_blanks(parser);
	if (begins_name(parser)) {
		read_name(parser, name);
		return named(parser, name, false);
	}
	if (accepts(parser, '-'))
		return -argument(parser);
	if (accepts(parser, '&'))
		return address_of(parser);
	if (accepts(parser, '"'))
		return text(parser);
	if (accepts(parser, '\''))
		return character(parser);
	return number(parser);
}

static _Vx_usr_arg_t argument(struct parser *parser)
{
	_Vx_usr_arg_t value;

	if (parser->depth == DEPTH_MAX)
		return refuse(parser, "more than %d expressions in one another", DEPTH_MAX);
	parser->depth++;
	value = one_argument(parser);
	parser->depth--;
	return value;
}

static void store(struct parser *parser, const char *name, _Vx_usr_arg_t value)
{
	struct symbol symbol;
	uint32_t i = 0;

	if (strlen(name) == NAME_BYTES - 1) {
		refuse(parser, "a name has at most %d characters", NAME_BYTES - 2);
		return;
	}
	if (find_symbol(name, &symbol)) {
		if (symbol.bytes != sizeof(int8_t) && symbol.bytes != sizeof(int16_t) &&
		    symbol.bytes != sizeof(int32_t) && symbol.bytes != sizeof(int64_t))
			refuse(parser, "%s is no variable of 1, 2, 4 or 8 bytes", name);
		else if (tact_copy(symbol.address, &value, symbol.bytes))
			refuse(parser, "%s cannot be written", name);
		return;
	}
	while (i < VARIABLES && *variables[i].name && strcmp(variables[i].name, name))
		i++;
	if (i == VARIABLES) {
		refuse(parser, "the shell has its %u variables already", VARIABLES);
		return;
	}
	snprintf(variables[i].name, sizeof(variables[i].name), "%s", name);
	variables[i].value = value;
}

/* NAME = EXPRESSION, or an expression. */
static _Vx_usr_arg_t line_value(struct parser *parser)
{
	char name[NAME_BYTES];
	_Vx_usr_arg_t value;

	if (!begins_name(parser))
		return argument(parser);
	read_name(parser, name);
	if (!accepts(parser, '='))
		return named(parser, name, true);
	skip_blanks(parser);
	value = line_value(parser);
	if (!*parser->wrong)
		store(parser, name, value);
	return value;
}

void vxworks_shell_line(const char *line, FILE *out)
{
	struct parser parser = {.at = line};
	_Vx_usr_arg_t value;

	skip_blanks(&parser);
	if (!*parser.at)
		return;
	value = line_value(&parser);
	skip_blanks(&parser);
	if (*parser.at)
		refuse(&parser, "not understood: '%s'", parser.at);
	if (*parser.wrong)
		fprintf(out, "%s\n", parser.wrong);
	else if (value == (int)value)
		fprintf(out, "value = %d = 0x%x\n", (int)value, (unsigned int)value);
	else
		fprintf(out, "value = %ld = 0x%lx\n", value, (unsigned long)value);
}
