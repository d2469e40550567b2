/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that programs of the POSIX interface know <boilerplate/trace.h> by. */
#ifndef COBALT_TRACE_H
#define COBALT_TRACE_H

#include <boilerplate/trace.h>

#endif
