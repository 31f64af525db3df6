# SPDX-License-Identifier: Apache-2.0 OR MIT
# Flags for our own code: target_link_libraries(x PRIVATE cuzk_flags).
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

add_library(cuzk_flags INTERFACE)
target_compile_definitions(cuzk_flags INTERFACE _GNU_SOURCE
                                                  CUZK_VERSION="${PROJECT_VERSION}")
target_include_directories(cuzk_flags INTERFACE ${PROJECT_SOURCE_DIR}/src
                                                ${PROJECT_SOURCE_DIR}/include)
target_compile_options(cuzk_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wcast-qual -Wpointer-arith -Wundef -Wvla -Wformat=2
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition>
  $<$<BOOL:${CUZK_WERROR}>:-Werror>)
if(CUZK_VERIFY)
  target_compile_definitions(cuzk_flags INTERFACE CUZK_VERIFY=1)
endif()

# For files with AVX-512 IFMA kernels: set_source_files_properties(... COMPILE_OPTIONS).
set(CUZK_PROCESSOR_IFMA_FLAGS -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512ifma)
set(CUZK_EMULATED_IFMA_FLAGS -I${PROJECT_SOURCE_DIR}/tests/emulated -Wno-psabi)
set(CUZK_IFMA_FLAGS ${CUZK_PROCESSOR_IFMA_FLAGS})
if(CUZK_FUZZ) # in unrolled kernels these take minutes to compile; preset verify has sanitizers there
  list(APPEND CUZK_IFMA_FLAGS -fno-sanitize=all -fno-profile-instr-generate -fno-coverage-mapping)
endif()
if(CUZK_EMULATE_IFMA)
  set(CUZK_IFMA_FLAGS ${CUZK_EMULATED_IFMA_FLAGS})
  target_compile_definitions(cuzk_flags INTERFACE CUZK_EMULATE_IFMA=1)
endif()

# Hardening covers blst too; it gives way to the sanitizers' own checks.
if(CUZK_HARDEN AND NOT CUZK_SANITIZE)
  add_compile_options(-fstack-protector-strong -fstack-clash-protection
                      $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fcf-protection=full>)
  endif()
  add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
endif()

# Sanitizers cover the pinned blst too, so they are set for the whole build.
if(CUZK_SANITIZE)
  add_compile_options(-fsanitize=${CUZK_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CUZK_SANITIZE})
  if(CUZK_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
# Fuzz targets count lines, too: tools/fuzz_coverage.sh.
if(CUZK_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  target_compile_options(cuzk_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
