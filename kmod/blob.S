/* SPDX-License-Identifier: GPL-2.0-only */
/* The image of a core, as data: Linux never runs it at this place. */
	.section .rodata, "a"
	.balign 16
	.globl tactus_blob, tactus_blob_end
tactus_blob:
	.incbin "core/core.bin"
tactus_blob_end:
	.section .note.GNU-stack, "", @progbits
