/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What dosing.cfg and dosing.c share. */
#ifndef EXAMPLES_UITRON_DOSING_H
#define EXAMPLES_UITRON_DOSING_H

#include <kernel.h>

/* Calls of the pump. */
#define DOSE   0x1u
#define STATUS 0x2u
#define STOP   0x4u
#define ANY    0x7u

struct order {
	int what;  /* DOSE, STATUS, STOP */
	int grams; /* wanted; of a reply: dosed, or dosed until now */
};

#define CALL_BYTES ((UINT)sizeof(struct order))
#define ENDED      0x1u
#define PANEL_MS   40
#define PROGRAM_MS 250

void pump(VP_INT exinf);
void desk(VP_INT exinf);
void recipe(VP_INT exinf);
void panel(VP_INT exinf);
void keeper(VP_INT exinf);
void panel_cycle(VP_INT exinf);
void program_end(VP_INT exinf);
void begin(VP_INT exinf);

#endif
