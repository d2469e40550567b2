/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A value is accepted only if its whole text is a value within the range. Nothing is rounded or
 * clipped silently. */
#include "common/arguments.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/complain.h"

#define FIRST_KEY 256
#define KEY_HELP  (FIRST_KEY + ARGUMENTS_MAX)

#define HELP_COLUMNS 80u
#define HELP_INDENT  21u

static const struct {
	const char *name;
	double ns;
} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

static const char *metavar(const struct argument *argument)
{
	static const char *const names[] = {
		[ARGUMENT_INTEGER] = " N",   [ARGUMENT_COUNT] = " N",   [ARGUMENT_SECONDS] = " S",
		[ARGUMENT_TIME] = " TIME",   [ARGUMENT_TEXT] = " TEXT", [ARGUMENT_FILE] = " FILE",
		[ARGUMENT_CHOICE] = " NAME", [ARGUMENT_FLAG] = "",
	};

	return names[argument->kind];
}

static bool is_text(const struct argument *argument)
{
	return argument->kind == ARGUMENT_TEXT || argument->kind == ARGUMENT_FILE;
}

/* In the largest unit that leaves no fraction of more than three digits. */
static void print_time(FILE *file, double ns)
{
	unsigned int unit = 3;

	while (unit > 0 && ns < units[unit].ns)
		unit--;
	fprintf(file, "%.6g%s", ns / units[unit].ns, units[unit].name);
}

static void print_range(FILE *file, const struct argument *argument)
{
	switch (argument->kind) {
	case ARGUMENT_INTEGER:
	case ARGUMENT_COUNT:
		fprintf(file, "%.0f to %.0f", argument->low, argument->high);
		break;
	case ARGUMENT_SECONDS:
		fprintf(file, "%g to %g", argument->low / 1e9, argument->high / 1e9);
		break;
	case ARGUMENT_TIME:
		print_time(file, argument->low);
		fprintf(file, " to ");
		print_time(file, argument->high);
		break;
	case ARGUMENT_CHOICE:
		for (int i = 0; argument->choices[i] != NULL; i++)
			fprintf(file, "%s%s", i > 0 ? ", " : "", argument->choices[i]);
		break;
	default:
		break;
	}
}

static void print_default(FILE *file, const struct argument *argument)
{
	if (argument->kind == ARGUMENT_FLAG || is_text(argument))
		return;
	fprintf(file, " (");
	print_range(file, argument);
	fprintf(file, "; default ");
	switch (argument->kind) {
	case ARGUMENT_INTEGER:
		fprintf(file, "%d)", *(const int *)argument->value);
		break;
	case ARGUMENT_COUNT:
		fprintf(file, "%" PRIu64 ")", *(const uint64_t *)argument->value);
		break;
	case ARGUMENT_SECONDS:
		fprintf(file, "%g)", (double)*(const uint64_t *)argument->value / 1e9);
		break;
	case ARGUMENT_TIME:
		print_time(file, (double)*(const uint64_t *)argument->value);
		fprintf(file, ")");
		break;
	default:
		fprintf(file, "%s)", argument->choices[*(const int *)argument->value]);
	}
}

/* Prints the words from this column on, on as many lines as necessary. */
static void print_filled(const char *text, size_t indent)
{
	size_t column = indent;

	while (*text) {
		size_t bytes = strcspn(text, " ");

		if (column > indent && column + 1 + bytes > HELP_COLUMNS) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)bytes, text);
		column += bytes;
		text += bytes;
		text += strspn(text, " ");
	}
	putchar('\n');
}

static void print_option(const struct argument *argument)
{
	char left[64];
	char right[512];
	FILE *file = fmemopen(right, sizeof(right), "w");

	(void)snprintf(left, sizeof(left), "--%s%s", argument->name, metavar(argument));
	printf("  %-18s ", left);
	if (file == NULL)
		return;
	fprintf(file, "%s", argument->help);
	print_default(file, argument);
	(void)fclose(file);
	print_filled(right, HELP_INDENT);
}

static void print_help(const char *purpose, const struct argument *table)
{
	printf("usage: %s [options]\n", program_invocation_short_name);
	print_filled(purpose, 0);
	for (; table->name != NULL; table++)
		print_option(table);
}

static int refuse(const struct argument *argument, const char *text)
{
	fprintf(stderr, "%s: --%s %s: use %s", program_invocation_short_name, argument->name, text,
		argument->kind == ARGUMENT_TIME     ? "a time with its unit, "
		: argument->kind == ARGUMENT_CHOICE ? "one of "
						    : "a number from ");
	print_range(stderr, argument);
	fputc('\n', stderr);
	return -1;
}

/* Returns the number, or a negative one, which is in no range; *end is the text after it. */
static double number(const char *text, char **end)
{
	double value;

	errno = 0;
	value = strtod(text, end);
	return *end == text || errno != 0 || !(value >= 0) ? -1 : value;
}

double arguments_time_ns(const char *text)
{
	char *end;
	const double value = number(text, &end);

	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) == 0)
			return value * units[i].ns;
	}
	return -1;
}

/* Scaled for the kind. */
static double scaled(const struct argument *argument, const char *text)
{
	char *end;
	double value;

	if (argument->kind == ARGUMENT_TIME)
		return arguments_time_ns(text);
	value = number(text, &end);
	if (*end != '\0')
		return -1;
	return argument->kind == ARGUMENT_SECONDS ? value * 1e9 : value;
}

static int take(const struct argument *argument, const char *text)
{
	double value;

	if (argument->kind == ARGUMENT_FLAG) {
		*(bool *)argument->value = true;
		return 0;
	}
	if (is_text(argument)) {
		*(const char **)argument->value = text;
		return *text != '\0' ? 0 : complain("--%s: name a file", argument->name);
	}
	if (argument->kind == ARGUMENT_CHOICE) {
		for (int i = 0; argument->choices[i] != NULL; i++) {
			if (strcmp(argument->choices[i], text) == 0) {
				*(int *)argument->value = i;
				return 0;
			}
		}
		return refuse(argument, text);
	}
	value = scaled(argument, text);
	/* In this form, NaN, which compares false, is also refused. */
	if (!(value >= argument->low && value <= argument->high))
		return refuse(argument, text);
	if (argument->kind != ARGUMENT_SECONDS && value != (double)(uint64_t)value)
		return refuse(argument, text);
	if (argument->kind == ARGUMENT_INTEGER)
		*(int *)argument->value = (int)value;
	else
		*(uint64_t *)argument->value = (uint64_t)value;
	return 0;
}

int arguments_complain(int key, char **argv)
{
	/* A letter among others: getopt has not yet passed the word. */
	if (key == '?' && optopt > 0 && optopt < FIRST_KEY)
		return complain("-%c: unknown option; see --help", optopt);
	return complain("%s: %s; see --help", argv[optind - 1],
			key == ':' ? "a value is missing" : "unknown option");
}

int arguments_parse(const char *purpose, const struct argument *table, int argc, char **argv)
{
	struct option options[ARGUMENTS_MAX + 2] = {{0}};
	int count = 0, key;

	for (; table[count].name != NULL && count < ARGUMENTS_MAX; count++)
		options[count] = (struct option){
			table[count].name,
			table[count].kind == ARGUMENT_FLAG ? no_argument : required_argument, NULL,
			FIRST_KEY + count};
	options[count] = (struct option){"help", no_argument, NULL, KEY_HELP};
	opterr = 0;
	while ((key = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (key == KEY_HELP) {
			print_help(purpose, table);
			return 1;
		}
		if (key == '?' || key == ':')
			return arguments_complain(key, argv);
		if (take(&table[key - FIRST_KEY], optarg) < 0)
			return -1;
	}
	if (optind < argc)
		return complain("%s: no such argument; see --help", argv[optind]);
	return 0;
}
