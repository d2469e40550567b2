/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name of <boilerplate/trace.h> for programs of the POSIX interface. */
#ifndef COBALT_TRACE_H
#define COBALT_TRACE_H

#include <boilerplate/trace.h>

#endif
