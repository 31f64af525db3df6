/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Made by tools/gen_field_constants.py. */
#ifndef CUZK_FIELD_FR_CONSTANTS_H
#define CUZK_FIELD_FR_CONSTANTS_H

/* clang-format off */
#define FR_MODULUS_LIMBS 0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48
#define FR_ONE_LIMBS 0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f
#define FR_MINUS_ONE_LIMBS 0xfffffffd00000003, 0xfb38ec08fffb13fc, 0x99ad88181ce5880f, 0x5bc8f5f97cd877d8
#define FR_GENERATOR_LIMBS 0x0000000efffffff1, 0x17e363d300189c0f, 0xff9c57876f8457b0, 0x351332208fc5a8c4
/* element i has order 2^i */
#define FR_ROOT_OF_UNITY_LIMBS \
    {{0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f}}, \
    {{0xfffffffd00000003, 0xfb38ec08fffb13fc, 0x99ad88181ce5880f, 0x5bc8f5f97cd877d8}}, \
    {{0xf3b05674aa89cfb1, 0x072f01406006b9fe, 0xce9a0dbf25667a26, 0x4d2ce4052d598374}}, \
    {{0x6ecf49952c42eff8, 0x6ec1fa834d5dfa57, 0x3ff5cf385656b15c, 0x54b80267229e031b}}, \
    {{0x1acf64e488202b65, 0x5b18b637819f004f, 0xee649cab3107fdf5, 0x27a8543dce9012a0}}, \
    {{0x30c78850dd04d52f, 0xe27f8794adaddbcb, 0x0a59f321ae22c531, 0x1958b127ba7f8ca3}}, \
    {{0xbcf7e31ae8d6f162, 0x15d1c587662fc7a4, 0xb7ed5ecd71278a57, 0x329d0d9340ccecb3}}, \
    {{0xdaf6401c4aed2336, 0xa14c0cba41de4f6a, 0xdfdc7d04fc7f2e5b, 0x6f61ff4e296cff18}}, \
    {{0xb4b87dd6a9d4956c, 0x6a51d0bcd1482f03, 0x7e8146f7e0dbcb1e, 0x21f4b238cccb85ae}}, \
    {{0x1ff70724b651888b, 0xcd8166cbe56a5af4, 0xe4a992a398e1e256, 0x5705ea3686fd3b03}}, \
    {{0xa4a6e37a36d7822a, 0xfc83a2ce8787e5f1, 0xe89553dae7ea8f80, 0x6f6d38bb2a92ff1a}}, \
    {{0xf4a46fbb8dc619e5, 0x82fa97dcb8e77487, 0xaf909c5bf198f018, 0x00edba7d83a038fa}}, \
    {{0xf2df262c09458a39, 0x048cdf5b99dff177, 0x16857bc5c7cce57b, 0x043b3dbca4a915ae}}, \
    {{0xa33d279ff0ccffc9, 0x41fac79f59e91972, 0x065d227fead1139b, 0x71db41abda03e055}}, \
    {{0x9e468a30f2a9a5d6, 0x1fe34726ca6bcf1b, 0x54a621ae87eb73ac, 0x100a9d2ebfd61a47}}, \
    {{0x6ebe497bf4e11f70, 0x1533f4823c55cafc, 0x66a7f2da7eb4d017, 0x5b6be79ab07f3e81}}, \
    {{0x4526e48b11c947f9, 0xccc36140c614d3aa, 0xf2e56f1a03cd5f24, 0x57db5a4c159e0248}}, \
    {{0x860cb52e2d964320, 0x4c5059aa9678fcc9, 0xd92f98d7cfe87e16, 0x40329fd2d283e2d3}}, \
    {{0x56e7145ccb39b4a6, 0x79825deadcbe3def, 0x3e516f05f02abbe0, 0x532595f8bef5bd2d}}, \
    {{0x3b801e7d90f9b375, 0xaada3338524be4d6, 0x5f0b11a6bdbd3f25, 0x04063ff85adb38c4}}, \
    {{0x146391f8784685ce, 0x6975fe2172dbcd2c, 0x7bfaf2b2edc848d6, 0x13c5c6b3afb23c0c}}, \
    {{0x245f9cbc1f88b5f3, 0x5dfbb5c68ef4a333, 0xa9ac7cdbc68f208f, 0x44448a9838255605}}, \
    {{0x0db3e6ccbf7c975b, 0x9d463b98af4d41ec, 0x555e1ff59ab7a3e7, 0x6154be202a31f630}}, \
    {{0xbcd2a6e09538df40, 0x290e2f0c95e6fafd, 0x37b754afe7fe2f1d, 0x500b5365d11e6548}}, \
    {{0x6a4fac5435b444fa, 0xa4c9d25df8a367da, 0xa33932bd4c0632ff, 0x038a3b43cfb507b5}}, \
    {{0x25acfadbd37328ca, 0xa2157fa336ffb229, 0x432bc6f21ac4d49e, 0x60eb5b8db0894969}}, \
    {{0x8a0719bd9fc1ac27, 0x744144bb29716a74, 0xffea9e0b541fcb9a, 0x4459ada388bb635f}}, \
    {{0xe7b5ec2bfbd35ce8, 0xa99a0f8a35e37e7b, 0x312c2051a70cacc4, 0x415444dfc9407c7d}}, \
    {{0x2c75ff0b8d27bcb7, 0x00fc392e4413b9d7, 0xef31d1fd8752020f, 0x6d5074c8e7a75dc5}}, \
    {{0x250a9d0e4b092216, 0x525a653781be1b5e, 0xe4381082889cdfb0, 0x02536cde1d9f1a1c}}, \
    {{0x8ea72d687bb12408, 0xa9ed127cb02387bc, 0x9c59d748e7669430, 0x4e720080e9ced390}}, \
    {{0x1f2fda6f3141e583, 0x8d44592227fe5b46, 0xe33cee1b81e59a5f, 0x22c666251ad8ae31}}, \
    {{0xb9b58d8c5f0e466a, 0x5b1b4c801819d7ec, 0x0af53ae352a31e64, 0x5bf3adda19e9b27b}},
/* clang-format on */

#endif
