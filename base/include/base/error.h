/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The error codes, for the layers below the public API. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <tactus/error.h>

#endif
