/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program's mappings: see maps.h. Source: proc(5), /proc/PID/maps. */
#define _GNU_SOURCE

#include "maps.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

bool maps_open(struct maps *maps)
{
	maps->at = maps->length = 0;
	maps->fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	return maps->fd >= 0;
}

void maps_close(const struct maps *maps)
{
	close(maps->fd);
}

/* The next character, or -1. */
static int take(struct maps *maps)
{
	if (maps->at == maps->length) {
		const ssize_t got = read(maps->fd, maps->text, sizeof(maps->text));

		if (got <= 0)
			return -1;
		maps->at = 0;
		maps->length = (size_t)got;
	}
	return (unsigned char)maps->text[maps->at++];
}

static int digit(int character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

/* A number and the character behind it. False: the list is over. */
static bool take_number(struct maps *maps, uintptr_t *number)
{
	int character = take(maps);

	for (*number = 0; digit(character) >= 0; character = take(maps))
		*number = *number << 4 | (uintptr_t)digit(character);
	return character >= 0;
}

bool maps_next(struct maps *maps, struct mapping *mapping)
{
	int character;

	if (!take_number(maps, &mapping->begin) || !take_number(maps, &mapping->end))
		return false;
	for (size_t i = 0; i < sizeof(mapping->rights) - 1; i++)
		mapping->rights[i] = (char)take(maps);
	mapping->rights[sizeof(mapping->rights) - 1] = 0;
	do
		character = take(maps);
	while (character >= 0 && character != '\n');
	return true;
}
