/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The document of page.h. Its character set is said by its Content-Type; the tags that HTML lets
 * one leave out are left out. */
    .section .rodata
    .global status_page
    .global status_page_end
status_page:
    .ascii "<!DOCTYPE html>\n<html lang=\"en\">\n<style>"
    .incbin "page.css"
    .ascii "</style>\n"
    .incbin "page.html"
    .ascii "<script>"
    .incbin "page.js"
    .ascii "</script>\n"
status_page_end:
    .section .note.GNU-stack, "", %progbits
