/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The real-time CPUs of this program. */
#include "thread.h"

struct thread_program thread_program;
