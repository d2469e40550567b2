/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Dhrystone, version 2 (R. P. Weicker, "Dhrystone: a synthetic systems programming benchmark", CACM
 * 27(10), 1984, and "Dhrystone benchmark: rationale for version 2", SIGPLAN Notices 23(8), 1988): a
 * fixed mix of assignments, control statements and calls on records, strings and arrays. The mix,
 * the separation into two files for the compiler, and the intermediate values are those of the
 * paper; the procedures keep their numbers.
 */
#ifndef INDEX_DHRYSTONE_H
#define INDEX_DHRYSTONE_H

#define DHRY_TEXT  31
#define DHRY_ARRAY 50

enum dhry_ident { IDENT_1, IDENT_2, IDENT_3, IDENT_4, IDENT_5 };

struct dhry_record {
	struct dhry_record *next;
	enum dhry_ident kind;
	union {
		struct {
			enum dhry_ident ident;
			int number;
			char text[DHRY_TEXT];
		} first;
		struct {
			enum dhry_ident ident;
			char text[DHRY_TEXT];
		} second;
		struct {
			char left, right;
		} third;
	} variant;
};

extern int dhry_number;
extern char dhry_letter_1;

void dhry_proc_6(enum dhry_ident value, enum dhry_ident *result);
void dhry_proc_7(int left, int right, int *result);
void dhry_proc_8(int row[DHRY_ARRAY], int table[DHRY_ARRAY][DHRY_ARRAY], int where, int value);
enum dhry_ident dhry_func_1(char left, char right);
int dhry_func_2(char left[DHRY_TEXT], char right[DHRY_TEXT]);

#endif
