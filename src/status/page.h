/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_STATUS_PAGE_H
#define CUZK_STATUS_PAGE_H

/* The status page as it is sent: page.S puts page.css, page.html and page.js into one document. The
 * build defines CUZK_PAGE_STYLE_SHA256 and CUZK_PAGE_SCRIPT_SHA256, digests in hex of the two parts
 * that a browser runs only when it is told so. */

extern const char status_page[], status_page_end[];

#endif
