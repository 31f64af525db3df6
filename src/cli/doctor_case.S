/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The input of doctor_proof.c, as it is in tests/golden. */
    .section .rodata
    .global doctor_case
    .global doctor_case_end
doctor_case:
    .incbin "window-2KiB/vanilla.json"
doctor_case_end:
    .section .note.GNU-stack, "", %progbits
