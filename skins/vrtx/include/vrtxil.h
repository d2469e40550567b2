/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A name by which programs for VRTX include its interface. */
#ifndef VRTXIL_H
#define VRTXIL_H
#include <vrtx/vrtx.h>
#endif
