/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The inputs of engine_cases.c, as they are in tests/golden. */
#define CASE(name, path)                                                                           \
    .global name;                                                                                  \
    .global name##_end;                                                                            \
    name:;                                                                                         \
    .incbin path;                                                                                  \
    name##_end:

    .section .rodata
CASE(engine_case_porep, "porep-2KiB-0/c1.json")
CASE(engine_case_update, "update-2KiB/vanilla.json")
CASE(engine_case_winning, "winning-2KiB/vanilla.json")
CASE(engine_case_window, "window-2KiB/vanilla.json")
    .section .note.GNU-stack, "", %progbits
