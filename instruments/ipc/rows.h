/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows that only tactus-ipc has. */
#ifndef IPC_ROWS_H
#define IPC_ROWS_H

struct bench_row;

extern const struct bench_row ipc_queue, ipc_pipe, ipc_signal, ipc_pipe_linux;

#endif
