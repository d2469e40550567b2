/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry: objects by numbers that stand for six letters. An entry is claimed by one exchange
 * of its name, so callers in any mode look names up without a lock.
 */
#include "rtai_internal.h"

#include <stdio.h>
#include <string.h>

#define ENTRIES 1024u
/* The first number that is no name: nam2num("$$$$$$") + 3. */
#define NUMBERS_FROM 4096000003u
#define NUMBERS_TO   0xfffffff0u

struct entry {
	_Atomic unsigned long name; /* 0: free */
	_Atomic uintptr_t pointer;  /* 0: it is being made */
	_Atomic int type;
	_Atomic int uses;
};

static struct entry entry[ENTRIES];
static _Atomic uint32_t next_number = NUMBERS_FROM;

/* The value of a letter in a name; 39: $ and what counts as it. */
static unsigned int value_of(int letter)
{
	static const char values[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_@.";
	const bool lower = letter >= 'a' && letter <= 'z';
	/* Not toupper(), whose locale is thread-local. */
	const char *found = strchr(values, lower ? letter - 'a' + 'A' : letter);

	return letter && found ? (unsigned int)(found - values) : 39;
}

unsigned long nam2num(const char *name)
{
	unsigned long number = 0;
	int i;

	for (i = 0; name && i < 6 && name[i]; i++)
		number = number * 40 + value_of((unsigned char)name[i]);
	return i ? number + 2 : 0xffffffffu;
}

void num2nam(unsigned long num, char *name)
{
	static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_@.$";
	char reversed[7];
	int count = 0;

	if (!name)
		return;
	if (num < 2 || num >= NUMBERS_FROM) {
		strcpy(name, "|null|");
		return;
	}
	for (num -= 2; num && count < 6; num /= 40)
		reversed[count++] = letters[num % 40];
	for (int i = 0; i < count; i++)
		name[i] = reversed[count - 1 - i];
	name[count] = 0;
}

const char *rtai_name_text(unsigned long name, char *text)
{
	if (name < NUMBERS_FROM && name > 2)
		num2nam(name, text);
	else
		(void)snprintf(text, RTAI_NAME_TEXT, "%lu", name);
	return text;
}

int rtai_registry_type(enum rtai_type type)
{
	static const int types[RTAI_TYPES] = {
		[RTAI_TASK] = IS_TASK, [RTAI_SEM] = IS_SEM, [RTAI_RWL] = IS_RWL,
		[RTAI_SPL] = IS_SPL,   [RTAI_MBX] = IS_MBX, [RTAI_BITS] = IS_BIT,
		[RTAI_TBX] = IS_TBX,
	};

	return types[type];
}

static struct entry *find_name(unsigned long name)
{
	for (uint32_t i = 0; name && i < ENTRIES; i++)
		if (atomic_load_explicit(&entry[i].name, memory_order_acquire) == name)
			return &entry[i];
	return NULL;
}

static struct entry *find_pointer(const void *pointer)
{
	for (uint32_t i = 0; pointer && i < ENTRIES; i++)
		if (atomic_load_explicit(&entry[i].pointer, memory_order_acquire) ==
		    (uintptr_t)pointer)
			return &entry[i];
	return NULL;
}

static void clear(struct entry *old)
{
	atomic_store_explicit(&old->pointer, 0, memory_order_relaxed);
	/* Release: pairs with the claim in rtai_register(). */
	atomic_store_explicit(&old->name, 0, memory_order_release);
}

/* Of two callers that register one name at a time, the one with the earlier entry succeeds. */
bool rtai_register(unsigned long name, void *pointer, int type)
{
	if (find_name(name))
		return false;
	for (uint32_t i = 0; i < ENTRIES; i++) {
		unsigned long none = 0;

		if (!atomic_compare_exchange_strong(&entry[i].name, &none, name))
			continue;
		if (find_name(name) != &entry[i]) {
			clear(&entry[i]);
			return false;
		}
		atomic_store_explicit(&entry[i].type, type, memory_order_relaxed);
		atomic_store_explicit(&entry[i].uses, 1, memory_order_relaxed);
		atomic_store_explicit(&entry[i].pointer, (uintptr_t)pointer, memory_order_release);
		return true;
	}
	return false;
}

void rtai_deregister(const void *pointer)
{
	struct entry *old = find_pointer(pointer);

	if (old)
		clear(old);
}

int rtai_use(unsigned long name, int type, void **pointer)
{
	struct entry *found = find_name(name);

	if (!found)
		return -EFAULT;
	*pointer = (void *)atomic_load_explicit(&found->pointer, memory_order_acquire);
	if (atomic_load_explicit(&found->type, memory_order_relaxed) != type)
		return -EFAULT;
	return atomic_fetch_add_explicit(&found->uses, 1, memory_order_relaxed) + 1;
}

int rtai_unuse(const void *pointer)
{
	struct entry *found = find_pointer(pointer);

	return found ? atomic_fetch_sub_explicit(&found->uses, 1, memory_order_relaxed) - 1
		     : -EFAULT;
}

void *rtai_registry_search(bool (*matches)(void *pointer, int type, void *arg), void *arg)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		void *pointer =
			(void *)atomic_load_explicit(&entry[i].pointer, memory_order_acquire);

		if (pointer && matches(pointer, atomic_load(&entry[i].type), arg))
			return pointer;
	}
	return NULL;
}

unsigned long rtai_free_name(void)
{
	unsigned long name;

	do {
		name = atomic_fetch_add_explicit(&next_number, 1, memory_order_relaxed);
		if (name >= NUMBERS_TO)
			atomic_store_explicit(&next_number, NUMBERS_FROM, memory_order_relaxed);
	} while (name >= NUMBERS_TO || find_name(name));
	return name;
}

void *rt_get_adr(unsigned long name)
{
	const struct entry *found = find_name(name);

	return found ? (void *)atomic_load_explicit(&found->pointer, memory_order_acquire) : NULL;
}

unsigned long rt_get_name(void *adr)
{
	const struct entry *found = find_pointer(adr);

	if (!adr)
		return rtai_free_name();
	return found ? atomic_load_explicit(&found->name, memory_order_relaxed) : 0;
}
