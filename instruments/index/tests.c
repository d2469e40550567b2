/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tests, their durations and repetitions, and the base values: those that UnixBench 5
 * publishes, the results of a SPARCstation 20-61 under Solaris 2.3. */
#include "tests.h"

#include <stddef.h>

#define COPY(buffer, kib, kbps)                                                                    \
	{                                                                                          \
		"copy-" #buffer, "File Copy " #buffer " bufsize " #kib " maxblocks", "KBps", kbps, \
			3, false, false, "copy",                                                   \
		{                                                                                  \
			"@", #buffer, #kib                                                         \
		}                                                                                  \
	}

const struct index_test index_tests[] = {
	{"dhrystone", "Dhrystone 2", "lps", 116700, 1, true, true, "dhrystone", {NULL}},
	{"whetstone",
	 "Double-Precision Whetstone",
	 "MWIPS",
	 55,
	 1,
	 true,
	 true,
	 "whetstone",
	 {NULL}},
	{"execl", "Execl Throughput", "lps", 43, 3, false, false, "execl", {NULL}},
	COPY(1024, 2000, 3960),
	COPY(256, 500, 1655),
	COPY(4096, 8000, 5800),
	{"pipe", "Pipe Throughput", "lps", 12440, 1, true, false, "pipe", {NULL}},
	{"switch", "Pipe-based Context Switching", "lps", 4000, 1, true, false, "switch", {NULL}},
	{"spawn", "Process Creation", "lps", 126, 3, false, false, "spawn", {NULL}},
	{"shell-1",
	 "Shell Scripts (1 concurrent)",
	 "lpm",
	 42.4,
	 6,
	 false,
	 false,
	 "loop",
	 {"/bin/sh", "%/multi.sh", "1"}},
	{"shell-8",
	 "Shell Scripts (8 concurrent)",
	 "lpm",
	 6,
	 6,
	 false,
	 false,
	 "loop",
	 {"/bin/sh", "%/multi.sh", "8"}},
	{"syscall", "System Call Overhead", "lps", 15000, 1, true, false, "syscall", {NULL}},
};

const unsigned int index_tests_count = sizeof(index_tests) / sizeof(index_tests[0]);
