/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names of one group, for files that are compiled for each: GROUP is g1 or g2. */

#define MSM_JOIN2(a, b) a##_##b
#define MSM_JOIN(a, b)  MSM_JOIN2(a, b)

#define G(name)        MSM_JOIN(GROUP, name) /* g1_name */
#define IN_GROUP(name) MSM_JOIN(name, GROUP) /* name_g1 */
