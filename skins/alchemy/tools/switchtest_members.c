/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who takes part: threadspecs, and names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "switchtest.h"

static const char *const type_names[MEMBER_TYPES] = {"sleeper", "rtk", "rtup", "rtus", "rtuo"};
static const struct {
	const char *name;
	unsigned int flag;
} flags[] = {{"_fp", FP}, {"_ufpp", UFPP}, {"_ufps", UFPS}};
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

const char *member_name(const struct member *member, char name[NAME_BYTES])
{
	int length = snprintf(name, NAME_BYTES, "%s", type_names[member->type]);

	for (unsigned int i = 0; i < FLAGS; i++)
		if (member->fp & flags[i].flag)
			length += snprintf(name + length, NAME_BYTES - (size_t)length, "%s",
					   flags[i].name);
	snprintf(name + length, NAME_BYTES - (size_t)length, "%u-%u", member->group->linux_cpu,
		 member->index);
	return name;
}

static int add(struct group *group, enum member_type type, unsigned int fp)
{
	struct member *member;

	if (group->count == MEMBERS_MAX) {
		fprintf(stderr, "switchtest: more than %d threads on a CPU\n", MEMBERS_MAX);
		return -1;
	}
	member = &group->members[group->count];
	*member = (struct member){.type = type,
				  .fp = fp,
				  .index = group->count,
				  .group = group,
				  .last_to = group->count};
	group->count++;
	return 0;
}

static int complain(const char *word, const char *why)
{
	fprintf(stderr,
		"switchtest: %s: %s; a thread is (rtk|rtup|rtus|rtuo)(_fp|_ufpp|_ufps)*[cpu]\n",
		word, why);
	return -1;
}

/* What a member of a type can do: a light task is never in Linux. */
static bool fits(enum member_type type, unsigned int fp)
{
	switch (type) {
	case RTK:
		return !(fp & UFPS);
	case RTUP:
		return !(fp & (FP | UFPS));
	case RTUS:
		return !(fp & (FP | UFPP));
	default:
		return !(fp & FP);
	}
}

static const char *parse_type(const char *at, enum member_type *type)
{
	for (int i = MEMBER_TYPES - 1; i >= RTK; i--)
		if (!strncmp(at, type_names[i], strlen(type_names[i]))) {
			*type = (enum member_type)i;
			return at + strlen(type_names[i]);
		}
	return NULL;
}

static const char *parse_flags(const char *at, unsigned int *fp)
{
	for (unsigned int i = 0; i < FLAGS; i++) {
		size_t length = strlen(flags[i].name);

		if (strncmp(at, flags[i].name, length))
			continue;
		*fp |= flags[i].flag;
		return parse_flags(at + length, fp);
	}
	return at;
}

static int add_word(struct switchtest *test, const char *word)
{
	enum member_type type = SLEEPER;
	unsigned int fp = 0;
	const char *at = parse_type(word, &type);
	bool found = false;
	long cpu = -1;
	char *end;

	if (!at)
		return complain(word, "no such thread");
	at = parse_flags(at, &fp);
	if (*at) {
		errno = 0;
		cpu = strtol(at, &end, 10);
		if (*at < '0' || *at > '9' || *end || errno)
			return complain(word, "no such thread");
	}
	if (!fits(type, fp))
		return complain(word,
				"a thread of this type does not use floating point in that way");
	for (uint32_t i = 0; i < test->groups_count; i++)
		if (cpu < 0 || test->groups[i].linux_cpu == (uint32_t)cpu) {
			found = true;
			if (add(&test->groups[i], type, test->no_fpu ? 0 : fp))
				return -1;
		}
	return found ? 0 : complain(word, "no CPU of this run (--cpu-affinity)");
}

static const char *const usual[] = {
	"rtk",       "rtk_fp", "rtk_fp_ufpp", "rtup",      "rtup_ufpp",      "rtus",
	"rtus_ufps", "rtuo",   "rtuo_ufpp",   "rtuo_ufps", "rtuo_ufpp_ufps",
};

/* Two of each kind, as far as they differ. */
static int add_usual(struct switchtest *test)
{
	for (unsigned int i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		for (int twice = 0; twice < 2; twice++)
			if (!(test->no_fpu && strchr(usual[i], '_')) && add_word(test, usual[i]))
				return -1;
	return 0;
}

int members_from_words(struct switchtest *test, char **words, int count)
{
	for (uint32_t i = 0; i < test->groups_count; i++)
		if (add(&test->groups[i], SLEEPER, test->no_fpu ? 0 : UFPS))
			return -1;
	if (!count)
		return add_usual(test);
	for (int i = 0; i < count; i++)
		if (add_word(test, words[i]))
			return -1;
	return 0;
}
