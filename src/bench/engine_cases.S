/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The cases of engine_cases.c, as they are in tests/golden. */
#define CASE(name, path)                                                                           \
    .global name;                                                                                  \
    .global name##_end;                                                                            \
    name:;                                                                                         \
    .incbin path;                                                                                  \
    name##_end:

    .section .rodata
CASE(engine_case_porep, "porep-2KiB-0/c1.json")
CASE(engine_case_porep_values, "porep-2KiB-0/case.json")
CASE(engine_case_update, "update-2KiB/vanilla.json")
CASE(engine_case_update_values, "update-2KiB/case.json")
CASE(engine_case_winning, "winning-2KiB/vanilla.json")
CASE(engine_case_winning_values, "winning-2KiB/case.json")
CASE(engine_case_window, "window-2KiB/vanilla.json")
CASE(engine_case_window_values, "window-2KiB/case.json")
    .section .note.GNU-stack, "", %progbits
