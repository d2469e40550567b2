/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dhrystone 2, second part: procedures 6 to 8 and the functions. See dhrystone.h. */
#include "dhrystone.h"

#include <string.h>

int dhry_func_3(enum dhry_ident value);

void dhry_proc_6(enum dhry_ident value, enum dhry_ident *result)
{
	*result = value;
	if (!dhry_func_3(value))
		*result = IDENT_4;
	switch (value) {
	case IDENT_1:
		*result = IDENT_1;
		break;
	case IDENT_2:
		*result = dhry_number > 100 ? IDENT_1 : IDENT_4;
		break;
	case IDENT_3:
		*result = IDENT_2;
		break;
	case IDENT_4:
		break;
	case IDENT_5:
		*result = IDENT_3;
		break;
	}
}

void dhry_proc_7(int left, int right, int *result)
{
	const int sum = left + 2;

	*result = right + sum;
}

void dhry_proc_8(int row[DHRY_ARRAY], int table[DHRY_ARRAY][DHRY_ARRAY], int where, int value)
{
	const int at = where + 5;

	row[at] = value;
	row[at + 1] = row[at];
	row[at + 30] = at;
	for (int i = at; i <= at + 1; i++)
		table[at][i] = at;
	table[at][at - 1] += 1;
	table[at + 20][at] = row[at];
	dhry_number = 5;
}

enum dhry_ident dhry_func_1(char left, char right)
{
	const char letter = left;

	if (letter != right)
		return IDENT_1;
	dhry_letter_1 = letter;
	return IDENT_2;
}

int dhry_func_2(char left[DHRY_TEXT], char right[DHRY_TEXT])
{
	char letter = 'A';
	int at = 2;

	while (at <= 2) {
		if (dhry_func_1(left[at], right[at + 1]) == IDENT_1) {
			letter = 'A';
			at += 1;
		}
	}
	if (letter >= 'W' && letter < 'Z')
		at = 7;
	if (letter == 'R')
		return 1;
	if (strcmp(left, right) > 0) {
		at += 7;
		dhry_number = at;
		return 1;
	}
	return 0;
}

int dhry_func_3(enum dhry_ident value)
{
	const enum dhry_ident ident = value;

	return ident == IDENT_3;
}
