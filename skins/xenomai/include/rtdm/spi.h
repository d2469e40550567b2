/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of programs for transfers by Xenomai's SPI drivers; see <rtdm/devices.h>. */
#ifndef RTDM_SPI_H
#define RTDM_SPI_H

#include <linux/spi/spidev.h> /* SPI_MODE_... */

#include <rtdm/rtdm.h>

struct rtdm_spi_config {
	uint32_t speed_hz;
	uint16_t mode; /* SPI_MODE_... */
	uint8_t bits_per_word;
};

struct rtdm_spi_iobufs {
	uint32_t io_len;
	uint32_t i_offset;
	uint32_t o_offset;
};

#define SPI_RTIOC_SET_CONFIG _IOW(RTDM_CLASS_SPI, 0, struct rtdm_spi_config)
#define SPI_RTIOC_GET_CONFIG _IOR(RTDM_CLASS_SPI, 1, struct rtdm_spi_config)
#define SPI_RTIOC_SET_IOBUFS _IOR(RTDM_CLASS_SPI, 2, struct rtdm_spi_iobufs)
#define SPI_RTIOC_TRANSFER   _IO(RTDM_CLASS_SPI, 3)

#endif
