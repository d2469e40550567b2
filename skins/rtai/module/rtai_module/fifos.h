/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* FIFOs as modules see them: by numbers. Other programs see /dev/rtf0 to /dev/rtf63. */
#ifndef TACTUS_RTAI_RTAI_MODULE_FIFOS_H
#define TACTUS_RTAI_RTAI_MODULE_FIFOS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define RTF_NO MAX_FIFOS

/* As for programs. */
int rtf_create(unsigned int fifo, int size) __asm__("rtai_module_fifo_create");

/* As for programs, which call them by these names. */
int rtf_reset(unsigned int fifo) __asm__("rtf_reset_lxrt");
int rtf_resize(unsigned int fifo, int size) __asm__("rtf_resize_lxrt");
int rtf_sem_init(unsigned int fifo, int value) __asm__("rtf_sem_init_lxrt");
int rtf_sem_post(unsigned int fifo) __asm__("rtf_sem_post_lxrt");
int rtf_sem_destroy(unsigned int fifo) __asm__("rtf_sem_destroy_lxrt");
int rtf_named_create(const char *name, int size) __asm__("rtf_named_create_lxrt");
int rtf_create_named(const char *name) __asm__("rtf_create_named_lxrt");
int rtf_getfifobyname(const char *name) __asm__("rtf_getfifobyname_lxrt");

/* 1: the semaphore was taken; 0: it was 0; -ENODEV, -EINVAL: no such FIFO. */
int rtf_sem_trywait(unsigned int fifo) __asm__("rtai_module_fifo_sem_trywait");
/* Copy the bytes that are there, at most count, and leave them. */
int rtf_evdrp(unsigned int fifo, void *buf, int count) __asm__("rtai_module_fifo_evdrp");

/*
 * A function that a thread of Linux calls after each read ('r') and write ('w') of the file, and of
 * descriptors within the process. If it returns a negative number, the read or the write fails with
 * it. It may not destroy the FIFO. NULL: none. 0; -ENODEV, -EINVAL: no such FIFO.
 */
typedef int (*rtf_handler_t)(unsigned int fifo, int rw);
int rtf_create_handler(unsigned int fifo, void *handler) __asm__("rtai_module_fifo_handler");
#define X_FIFO_HANDLER(handler) ((void *)(handler))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
