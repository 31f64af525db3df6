# SPDX-License-Identifier: Apache-2.0 OR MIT

# cuzk_module(NAME SOURCES a.c ... [DEPS module-or-target ...])
# A folder under src/: static library cuzk_NAME; DEPS are other modules by their short name, or
# whole target names.
function(cuzk_module name)
  cmake_parse_arguments(M "" "" "SOURCES;DEPS" ${ARGN})
  add_library(cuzk_${name} STATIC ${M_SOURCES})
  target_link_libraries(cuzk_${name} PRIVATE cuzk_flags)
  cuzk_link_modules(cuzk_${name} PUBLIC ${M_DEPS})
endfunction()

function(cuzk_link_modules target visibility)
  foreach(dep IN LISTS ARGN)
    if(dep IN_LIST CUZK_MODULES)
      set(dep cuzk_${dep})
    endif()
    target_link_libraries(${target} ${visibility} ${dep})
  endforeach()
endfunction()

# cuzk_program(NAME SOURCES a.c ... [DEPS module-or-target ...])
# An executable; DEPS as in cuzk_module.
function(cuzk_program name)
  cmake_parse_arguments(P "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${P_SOURCES})
  target_link_libraries(${name} PRIVATE cuzk_flags)
  cuzk_link_modules(${name} PRIVATE ${P_DEPS})
endfunction()

# cuzk_test(NAME SOURCES ... DEPS ... [LABELS ...] [TIMEOUT seconds] [ARGS ...])
# A cmocka program registered with CTest; LABELS default to "unit".
function(cuzk_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;DEPS;LABELS;ARGS" ${ARGN})
  add_executable(test_${name} ${T_SOURCES})
  target_link_libraries(test_${name} PRIVATE cuzk_flags PkgConfig::CMOCKA)
  target_compile_definitions(test_${name} PRIVATE
    CUZK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CUZK_BINARY_DIR="${PROJECT_BINARY_DIR}")
  cuzk_link_modules(test_${name} PRIVATE ${T_DEPS})
  if(NOT T_LABELS)
    set(T_LABELS unit)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND test_${name} ${T_ARGS})
  set_tests_properties(${name} PROPERTIES LABELS "${T_LABELS}" TIMEOUT ${T_TIMEOUT}
                                          SKIP_RETURN_CODE 77)
endfunction()

# cuzk_fuzz(NAME SOURCES ... DEPS ...)
# A libFuzzer program fuzz_NAME, built with -DCUZK_FUZZ=ON by target fuzzers. tools/fuzz.sh runs
# them all.
function(cuzk_fuzz name)
  cmake_parse_arguments(F "" "" "SOURCES;DEPS" ${ARGN})
  if(NOT CUZK_FUZZ)
    return()
  endif()
  add_executable(fuzz_${name} ${F_SOURCES} ${PROJECT_SOURCE_DIR}/src/base/fuzz_support.c)
  target_link_libraries(fuzz_${name} PRIVATE cuzk_flags)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  cuzk_link_modules(fuzz_${name} PRIVATE ${F_DEPS})
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                ${PROJECT_BINARY_DIR}/fuzz)
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
  endif()
  add_dependencies(fuzzers fuzz_${name})
endfunction()

# cuzk_sources_matching(OUT REGEX module ...)
# The sources of modules' libraries that have a line like REGEX; looked through again when one changes.
function(cuzk_sources_matching out regex)
  set(found)
  foreach(module IN LISTS ARGN)
    get_target_property(sources cuzk_${module} SOURCES)
    get_target_property(folder cuzk_${module} SOURCE_DIR)
    foreach(source IN LISTS sources)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${source})
      file(STRINGS ${folder}/${source} lines REGEX "${regex}" LIMIT_COUNT 1)
      if(lines)
        list(APPEND found ${folder}/${source})
      endif()
    endforeach()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
