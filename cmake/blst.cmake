# SPDX-License-Identifier: Apache-2.0 OR MIT
# Target cuzk_blst: CUZK_BLST_DIR if set, else the system's libblst, else the pinned sources that
# tools/fetch_blst.sh brought to .deps/blst.
if(NOT CUZK_BLST_DIR)
  find_package(PkgConfig QUIET)
  pkg_check_modules(BLST QUIET IMPORTED_TARGET libblst)
  if(BLST_FOUND)
    add_library(cuzk_blst INTERFACE)
    target_link_libraries(cuzk_blst INTERFACE PkgConfig::BLST)
    message(STATUS "blst: system, ${BLST_VERSION}")
    return()
  endif()
endif()

set(blst_dir ${PROJECT_SOURCE_DIR}/.deps/blst)
if(CUZK_BLST_DIR)
  set(blst_dir ${CUZK_BLST_DIR})
endif()
if(NOT EXISTS ${blst_dir}/bindings/blst.h)
  message(FATAL_ERROR "no blst under ${blst_dir}: run tools/fetch_blst.sh (or `make build`)")
endif()
message(STATUS "blst: ${blst_dir}")

add_library(cuzk_blst STATIC ${blst_dir}/src/server.c ${blst_dir}/build/assembly.S)
target_include_directories(cuzk_blst SYSTEM PUBLIC ${blst_dir}/bindings)
target_compile_definitions(cuzk_blst PRIVATE __BLST_PORTABLE__)
target_compile_options(cuzk_blst PRIVATE -w -O2 $<$<COMPILE_LANGUAGE:C>:-fno-builtin>)
