/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of six letters as numbers.
 */
#ifndef TACTUS_RTAI_NAM2NUM_H
#define TACTUS_RTAI_NAM2NUM_H

#include <rtai_types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The first number that is no name. */
#define MAX_NAM2NUM 4096000003UL

/**
 * The number of a name of up to six letters, digits, _, @ and point; other characters count as $,
 * and more than six are not read. Returns it; 0xFFFFFFFF for an empty name or NULL.
 * Context: any.
 */
unsigned long nam2num(const char *name);

/**
 * The name of a number, with its terminating zero at most 7 bytes; |null| for a number that is no
 * name's.
 * Context: any.
 */
void num2nam(unsigned long num, char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
