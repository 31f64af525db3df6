/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef CUZK_CLI_SHOWN_H
#define CUZK_CLI_SHOWN_H

/** A text from outside, such as a path, as it may be printed: text_escape(). Errors and JSON are
 *  made so anyhow; whatever else prints such a text takes this. Valid until the fourth call after.
 */
const char *shown(const char *text);

#endif
