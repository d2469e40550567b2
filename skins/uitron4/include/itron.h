/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON 4.0: data types, constants and error codes of ITRON specifications; kernel.h has the
 * calls. */
#ifndef TACTUS_ITRON4_ITRON_H
#define TACTUS_ITRON4_ITRON_H

#include <stddef.h>
#include <stdint.h>

#ifdef TACTUS_ITRON_H
#error "itron.h of µITRON 3.02 and of µITRON 4.0 cannot be mixed: use one include folder"
#endif
#define TACTUS_ITRON4_H

/* Also in the header of µITRON 3.02: a program has the include folder of one version. */
typedef int8_t B;
typedef int16_t H;
typedef int32_t W;
typedef int64_t D;
typedef uint8_t UB;
typedef uint16_t UH;
typedef uint32_t UW;
typedef uint64_t UD;
typedef int8_t VB; /* values of an unknown type */
typedef int16_t VH;
typedef int32_t VW;
typedef int64_t VD;
typedef void *VP;
#if defined(__GNUC__) && !defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
typedef void (*FP)(); /* address of a task or handler, whatever its parameters are */
#if defined(__GNUC__) && !defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

typedef int32_t INT;
typedef uint32_t UINT;
typedef INT BOOL;
typedef INT FN;
typedef INT ER;
typedef INT ID;
typedef UINT ATR;
typedef UINT STAT;
typedef UINT MODE;
typedef INT PRI;
typedef size_t SIZE;
typedef INT TMO;
typedef UINT RELTIM;
typedef UD SYSTIM;
typedef intptr_t VP_INT; /* an integer that holds an address, too */
typedef INT ER_BOOL;
typedef INT ER_ID;
typedef INT ER_UINT;

#ifndef TRUE
#define TRUE  1
#define FALSE 0
#endif

#define E_OK    0
#define E_SYS   (-5)
#define E_NOSPT (-9)
#define E_RSFN  (-10)
#define E_RSATR (-11)
#define E_PAR   (-17)
#define E_ID    (-18)
#define E_CTX   (-25)
#define E_MACV  (-26)
#define E_OACV  (-27)
#define E_ILUSE (-28)
#define E_NOMEM (-33)
#define E_NOID  (-34)
#define E_OBJ   (-41)
#define E_NOEXS (-42)
#define E_QOVR  (-43)
#define E_RLWAI (-49)
#define E_TMOUT (-50)
#define E_DLT   (-51)
#define E_CLS   (-52)
#define E_WBLK  (-57)
#define E_BOVR  (-58)

/* The main and the sub error code. */
#define MERCD(ercd) ((ER)(B)(ercd))
#define SERCD(ercd) ((ercd) >> 8)

#define TA_NULL 0u

#define TMO_POL  0
#define TMO_FEVR (-1)
#define TMO_NBLK (-2)

#endif
