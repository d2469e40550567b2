/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Letters. */
#ifndef TACTUS_RTAI_LINUX_CTYPE_H
#define TACTUS_RTAI_LINUX_CTYPE_H

int isalpha(int letter);
int isdigit(int letter);
int isalnum(int letter);
int isspace(int letter);
int isupper(int letter);
int islower(int letter);
int isxdigit(int letter);
int isprint(int letter);
int toupper(int letter);
int tolower(int letter);

#endif
