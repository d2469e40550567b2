/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connections that came in (lines.c): the node's thread alone makes, hears and frees them; no lock.
 */
#ifndef SKINS_SESSION_LINES_H
#define SKINS_SESSION_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct session_line;

/* Before all else: the epoll descriptor that tells of them, each by its address. */
void session_lines_begin(int poller);
void session_line_accept(int listener);
/* It is ready for these events (EPOLL*). */
void session_line_heard(struct session_line *line, uint32_t events);
/* Drop those who are over. True: there is something left that has to be looked at again soon. */
bool session_lines_tidy(void);
/* The node ends: so do they all, as soon as their tasks let them. */
void session_lines_end(void);
/* In a fork's child. */
void session_lines_forget(void);

#endif
