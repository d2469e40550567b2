/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The words of VxWorks that all of its headers use.
 *
 * A STATUS is OK or ERROR; if it is ERROR, or an id is NULL, errno says why. A timeout is a number
 * of ticks, NO_WAIT or WAIT_FOREVER. Ids are small numbers, whatever their type: they fit an int.
 * docs/reference/skins/vxworks.md says what each function returns, and from where it may be called.
 */
#ifndef VXWORKS_H
#define VXWORKS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef OK
#define OK 0
#endif
#ifndef ERROR
#define ERROR (-1)
#endif
#define NO_WAIT      0
#define WAIT_FOREVER (-1)
#ifndef TRUE
#define TRUE  1
#define FALSE 0
#endif
#ifndef NONE
#define NONE (-1)
#endif
#ifndef EOS
#define EOS '\0'
#endif

/* Options of queues of waiting tasks. */
#define Q_FIFO     0x00
#define Q_PRIORITY 0x01

/* Processors, for programs that ask. */
#ifndef CPU
#define SIMLINUX   1900
#define X86_64     2000
#define CPU        X86_64
#define CPU_FAMILY X86_64
#endif

typedef int STATUS;
typedef int BOOL;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
typedef int64_t INT64;
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32;
typedef uint64_t UINT64;
typedef unsigned char UCHAR;
typedef unsigned short USHORT;
typedef unsigned int UINT;
typedef unsigned long ULONG;
typedef int ARGINT;
/* An argument that a program hands to a function of its own: an int or a pointer. */
typedef long _Vx_usr_arg_t;
typedef unsigned int _Vx_ticks_t;
typedef void VOID;

#ifdef __cplusplus
typedef int (*FUNCPTR)(...);
typedef void (*VOIDFUNCPTR)(...);
typedef double (*DBLFUNCPTR)(...);
typedef float (*FLTFUNCPTR)(...);
#else
/* Functions of any arguments, as VxWorks has them. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
typedef int (*FUNCPTR)();
typedef void (*VOIDFUNCPTR)();
typedef double (*DBLFUNCPTR)();
typedef float (*FLTFUNCPTR)();
#pragma GCC diagnostic pop
#endif

#ifndef FAST
#define FAST register
#endif
#ifndef IMPORT
#define IMPORT extern
#endif
#ifndef LOCAL
#define LOCAL static
#endif
#ifndef FOREVER
#define FOREVER for (;;)
#endif

#define NELEMENTS(array)               (sizeof(array) / sizeof((array)[0]))
#define OFFSET(structure, member)      ((int)offsetof(structure, member))
#define MEMBER_SIZE(structure, member) (sizeof(((structure *)0)->member))
#define ROUND_UP(x, align)             (((size_t)(x) + ((align)-1)) & ~(size_t)((align)-1))
#define ROUND_DOWN(x, align)           ((size_t)(x) & ~(size_t)((align)-1))
#define ALIGNED(x, align)              (((size_t)(x) & ((align)-1)) == 0)
#define MSB(x)                         (((x) >> 8) & 0xff)
#define LSB(x)                         ((x)&0xff)
#ifndef __cplusplus
#ifndef max
#define max(x, y) (((x) < (y)) ? (y) : (x))
#define min(x, y) (((x) < (y)) ? (x) : (y))
#endif
#endif

#ifdef __cplusplus
}
#endif

#endif
