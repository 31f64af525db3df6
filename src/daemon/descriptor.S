/* SPDX-License-Identifier: Apache-2.0 OR MIT */
    .section .rodata
    .globl descriptor_begin
    .globl descriptor_end
descriptor_begin:
    .incbin "proving.descriptor"
descriptor_end:
    .byte 0
    .section .note.GNU-stack, "", @progbits
