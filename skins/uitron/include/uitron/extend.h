/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What this implementation adds to µITRON 3.02: what hardware or a trap does elsewhere. */
#ifndef TACTUS_UITRON_EXTEND_H
#define TACTUS_UITRON_EXTEND_H

#include <itron.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raise an interrupt: its handler runs as soon as handlers may run. Requests before that are one
 * request. */
ER vras_int(UINT dintno);

/* Call an extended SVC handler with up to three parameters. Returns what the handler returns, or
 * E_RSFN: none is defined. */
ER cal_svc(INT s_fncd, ...);

#ifdef __cplusplus
}
#endif

#endif
