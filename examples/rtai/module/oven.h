/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the module and the programs that watch it share. */
#ifndef OVEN_H
#define OVEN_H

/* Numbers of FIFOs: /dev/rtf0 and /dev/rtf1. */
#define OVEN_RECORDS  0
#define OVEN_COMMANDS 1

struct oven_record {
	int turn;
	int milli_degrees;
	int power; /* percent */
};

#endif
