/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sentence of hal_start(): each of these adds one, whole or not at all. */
#ifndef LINUX_REASON_H
#define LINUX_REASON_H

void linux_notice(char reason[256], const char *format, ...) __attribute__((format(printf, 2, 3)));
int linux_refuse(char reason[256], int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
