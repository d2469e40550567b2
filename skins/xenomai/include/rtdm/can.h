/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CAN sockets, as programs of Xenomai's RT-Socket-CAN use them. In Tactus they are sockets of
 * Linux: Linux's drivers serve socket(PF_CAN, SOCK_RAW, CAN_RAW), bind(), send(), recv(), filters
 * and SIOCGIFINDEX. Each of these calls switches to secondary mode. The bit rate and the mode of a
 * controller are set by Linux's tools (`ip link set can0 type can bitrate 500000`). Linux refuses
 * the requests that RT-Socket-CAN has for bit rate and mode, for time-outs and for time stamps
 * (ENOTTY, EINVAL or EOPNOTSUPP).
 *
 * Source: Xenomai 3 API manual, "CAN Devices"; Linux, Documentation/networking/can.rst.
 */
#ifndef RTDM_CAN_H
#define RTDM_CAN_H

#include <net/if.h>

#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>

#include <rtdm/rtdm.h>

#define RTCAN_PROFILE_VER 2
#define RTIOC_TYPE_CAN    RTDM_CLASS_CAN

typedef canid_t can_id_t;
typedef struct can_frame can_frame_t;
typedef struct can_filter can_filter_t;

#define CAN_BAUDRATE_UNKNOWN      ((uint32_t)-1)
#define CAN_BAUDRATE_UNCONFIGURED 0
typedef uint32_t can_baudrate_t; /* bit/s */

enum CAN_BITTIME_TYPE { CAN_BITTIME_STD, CAN_BITTIME_BTR };
typedef enum CAN_BITTIME_TYPE can_bittime_type_t;

struct can_bittime_std {
	uint32_t brp;
	uint8_t prop_seg;
	uint8_t phase_seg1;
	uint8_t phase_seg2;
	uint8_t sjw : 7;
	uint8_t sam : 1;
};

struct can_bittime_btr {
	uint8_t btr0;
	uint8_t btr1;
};

struct can_bittime {
	can_bittime_type_t type;
	union {
		struct can_bittime_std std;
		struct can_bittime_btr btr;
	};
};

enum CAN_MODE { CAN_MODE_STOP = 0, CAN_MODE_START, CAN_MODE_SLEEP };
typedef enum CAN_MODE can_mode_t;

#define CAN_CTRLMODE_LISTENONLY 0x1
#define CAN_CTRLMODE_LOOPBACK   0x2
#define CAN_CTRLMODE_3_SAMPLES  0x4
typedef int can_ctrlmode_t;

enum CAN_STATE {
	CAN_STATE_ERROR_ACTIVE = 0,
	CAN_STATE_ACTIVE = 0,
	CAN_STATE_ERROR_WARNING = 1,
	CAN_STATE_BUS_WARNING = 1,
	CAN_STATE_ERROR_PASSIVE = 2,
	CAN_STATE_BUS_PASSIVE = 2,
	CAN_STATE_BUS_OFF,
	CAN_STATE_SCANNING_BAUDRATE,
	CAN_STATE_STOPPED,
	CAN_STATE_SLEEPING,
};
typedef enum CAN_STATE can_state_t;

#define CAN_STATE_OPERATING(state) ((state) < CAN_STATE_BUS_OFF)

/* As large as Linux's struct ifreq, because SIOCGIFINDEX takes it as one. */
struct can_ifreq {
	union {
		char ifrn_name[IF_NAMESIZE];
	} ifr_ifrn;
	union {
		struct can_bittime bittime;
		can_baudrate_t baudrate;
		can_ctrlmode_t ctrlmode;
		can_mode_t mode;
		can_state_t state;
		int ifru_ivalue;
		char linux_size[24];
	} ifr_ifru;
};

#define SIOCSCANBAUDRATE      _IOW(RTIOC_TYPE_CAN, 0x01, struct can_ifreq)
#define SIOCGCANBAUDRATE      _IOWR(RTIOC_TYPE_CAN, 0x02, struct can_ifreq)
#define SIOCSCANCUSTOMBITTIME _IOW(RTIOC_TYPE_CAN, 0x03, struct can_ifreq)
#define SIOCGCANCUSTOMBITTIME _IOWR(RTIOC_TYPE_CAN, 0x04, struct can_ifreq)
#define SIOCSCANMODE          _IOW(RTIOC_TYPE_CAN, 0x05, struct can_ifreq)
#define SIOCGCANSTATE         _IOWR(RTIOC_TYPE_CAN, 0x06, struct can_ifreq)
#define SIOCSCANCTRLMODE      _IOW(RTIOC_TYPE_CAN, 0x07, struct can_ifreq)
#define SIOCGCANCTRLMODE      _IOWR(RTIOC_TYPE_CAN, 0x08, struct can_ifreq)

#define RTCAN_TAKE_NO_TIMESTAMPS   0
#define RTCAN_TAKE_TIMESTAMPS      1
#define RTCAN_RTIOC_TAKE_TIMESTAMP _IOW(RTIOC_TYPE_CAN, 0x09, int)
#define RTCAN_RTIOC_RCV_TIMEOUT    _IOW(RTIOC_TYPE_CAN, 0x0A, nanosecs_rel_t)
#define RTCAN_RTIOC_SND_TIMEOUT    _IOW(RTIOC_TYPE_CAN, 0x0B, nanosecs_rel_t)

#endif
