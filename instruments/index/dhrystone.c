/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dhrystone 2, first part: the main loop and procedures 1 to 5. See dhrystone.h. */
#include "dhrystone.h"

#include <string.h>

#include "count.h"

static volatile unsigned long rounds;

/* Both files and any linked code see these: the compiler must keep them up to date. */
extern struct dhry_record *dhry_record, *dhry_next_record;
extern int dhry_flag;
extern char dhry_letter_2;
extern int dhry_row[DHRY_ARRAY], dhry_table[DHRY_ARRAY][DHRY_ARRAY];
struct dhry_record *dhry_record, *dhry_next_record;
int dhry_number;
int dhry_flag;
char dhry_letter_1, dhry_letter_2;
int dhry_row[DHRY_ARRAY], dhry_table[DHRY_ARRAY][DHRY_ARRAY];

void dhry_proc_1(struct dhry_record *record);
void dhry_proc_2(int *number);
void dhry_proc_3(struct dhry_record **record);
void dhry_proc_4(void);
void dhry_proc_5(void);

void dhry_proc_1(struct dhry_record *record)
{
	struct dhry_record *next = record->next;

	*record->next = *dhry_record;
	record->variant.first.number = 5;
	next->variant.first.number = record->variant.first.number;
	next->next = record->next;
	dhry_proc_3(&next->next);
	if (next->kind == IDENT_1) {
		next->variant.first.number = 6;
		dhry_proc_6(record->variant.first.ident, &next->variant.first.ident);
		next->next = dhry_record->next;
		dhry_proc_7(next->variant.first.number, 10, &next->variant.first.number);
	} else {
		*record = *record->next;
	}
}

void dhry_proc_2(int *number)
{
	enum dhry_ident found = IDENT_2;
	int value = *number + 10;

	do {
		if (dhry_letter_1 == 'A') {
			value--;
			*number = value - dhry_number;
			found = IDENT_1;
		}
	} while (found != IDENT_1);
}

void dhry_proc_3(struct dhry_record **record)
{
	if (dhry_record != NULL)
		*record = dhry_record->next;
	dhry_proc_7(10, dhry_number, &dhry_record->variant.first.number);
}

void dhry_proc_4(void)
{
	int is_a = dhry_letter_1 == 'A';

	dhry_flag = is_a | dhry_flag;
	dhry_letter_2 = 'B';
}

void dhry_proc_5(void)
{
	dhry_letter_1 = 'A';
	dhry_flag = 0;
}

/* Checks the values that never change after the first round, wherever in a round the alarm
 * comes. */
static void check(void)
{
	if (rounds > 2 && (dhry_letter_1 != 'A' || dhry_letter_2 != 'B' || dhry_row[8] != 7 ||
			   dhry_row[9] != 7 || dhry_row[38] != 8 || dhry_table[28][8] != 7)) {
		fprintf(stderr, "wrong values: this compiler broke Dhrystone\n");
		_exit(1);
	}
}

static void end(int signal)
{
	(void)signal;
	check();
	count_report((double)rounds, 1, 0);
	exit(0);
}

int main(int argc, char **argv)
{
	const double seconds = count_seconds(argv[0], argc > 1 ? argv[1] : NULL);
	int number_1, number_2, number_3;
	enum dhry_ident ident;
	char text_1[DHRY_TEXT], text_2[DHRY_TEXT];

	dhry_next_record = malloc(sizeof(*dhry_next_record));
	dhry_record = malloc(sizeof(*dhry_record));
	if (dhry_next_record == NULL || dhry_record == NULL) {
		perror("malloc");
		return 1;
	}
	dhry_record->next = dhry_next_record;
	dhry_record->kind = IDENT_1;
	dhry_record->variant.first.ident = IDENT_3;
	dhry_record->variant.first.number = 40;
	strcpy(dhry_record->variant.first.text, "DHRYSTONE PROGRAM, SOME STRING");
	strcpy(text_1, "DHRYSTONE PROGRAM, 1'ST STRING");
	dhry_table[8][7] = 10;
	count_until(seconds, end);
	for (rounds = 1;; rounds++) {
		dhry_proc_5();
		dhry_proc_4();
		number_1 = 2;
		number_2 = 3;
		strcpy(text_2, "DHRYSTONE PROGRAM, 2'ND STRING");
		ident = IDENT_2;
		dhry_flag = !dhry_func_2(text_1, text_2);
		while (number_1 < number_2) {
			number_3 = 5 * number_1 - number_2;
			dhry_proc_7(number_1, number_2, &number_3);
			number_1 += 1;
		}
		dhry_proc_8(dhry_row, dhry_table, number_1, number_3);
		dhry_proc_1(dhry_record);
		for (char letter = 'A'; letter <= dhry_letter_2; letter++) {
			if (ident == dhry_func_1(letter, 'C')) {
				dhry_proc_6(IDENT_1, &ident);
				strcpy(text_2, "DHRYSTONE PROGRAM, 3'RD STRING");
				number_2 = (int)rounds;
				dhry_number = (int)rounds;
			}
		}
		number_2 = number_2 * number_1;
		number_1 = number_2 / number_3;
		number_2 = 7 * (number_2 - number_3) - number_1;
		dhry_proc_2(&number_1);
	}
}
