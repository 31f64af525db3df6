# SPDX-License-Identifier: Apache-2.0 OR MIT
# cmake --install: headers, shared and static library, a pkg-config file and a CMake package, all of
# which may be moved together.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# libcuzk.a is one object: what the interface needs of our modules and of a blst built here, linked
# with itself so that all names but cuzk_* can be made local. A program that has another blst, or
# names like ours, links with it all the same. Groups are dissolved so that copies of inline
# functions in C++ do not take the place of those in here. The libraries of the system that remain
# are in cuzk.pc.
set(CUZK_STATIC ${PROJECT_BINARY_DIR}/src/api/libcuzk.a)
set(archives)
foreach(module IN LISTS CUZK_MODULES)
  if(TARGET cuzk_${module})
    list(APPEND archives cuzk_${module})
  endif()
endforeach()
list(REMOVE_ITEM archives cuzk_api cuzk_rpc cuzk_store cuzk_status cuzk_daemon cuzk_cli cuzk_bench)
set(CUZK_PRIVATE_PACKAGES simdjson libcrypto libtomcrypt)
get_target_property(blst_type cuzk_blst TYPE)
if(blst_type STREQUAL "STATIC_LIBRARY")
  list(APPEND archives cuzk_blst)
else()
  list(APPEND CUZK_PRIVATE_PACKAGES libblst)
endif()
list(TRANSFORM archives REPLACE ".+" "$<TARGET_FILE:\\0>" OUTPUT_VARIABLE archive_files)
set(work ${CMAKE_CURRENT_BINARY_DIR}/static)
file(MAKE_DIRECTORY ${work})
add_custom_command(OUTPUT ${CUZK_STATIC}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${CUZK_STATIC}
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${work}/linked.o $<TARGET_OBJECTS:cuzk_api>
          --start-group ${archive_files} --end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=cuzk_*" ${work}/linked.o ${work}/cuzk.o
  COMMAND ${CMAKE_AR} qcs ${CUZK_STATIC} ${work}/cuzk.o
  DEPENDS cuzk_api $<TARGET_OBJECTS:cuzk_api> ${archives} ${archive_files}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(cuzk_static ALL DEPENDS ${CUZK_STATIC})

# Paths from where a file lies, so that a prefix may be moved.
file(RELATIVE_PATH CUZK_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX})
list(JOIN CUZK_PRIVATE_PACKAGES " " CUZK_PRIVATE_NAMES)
configure_file(cmake/cuzk.pc.in ${CMAKE_CURRENT_BINARY_DIR}/cuzk.pc @ONLY)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cuzk)
configure_package_config_file(cmake/cuzk-config.cmake.in cuzk-config.cmake
  INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(cuzk-config-version.cmake COMPATIBILITY SameMinorVersion)

install(DIRECTORY include/cuzk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS cuzk_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${CUZK_STATIC} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cuzk.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cuzk-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/cuzk-config-version.cmake DESTINATION ${package_folder})
if(TARGET cuzk)
  install(TARGETS cuzk RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)

  # What the program itself prints: manual pages, and scripts that complete command lines.
  set(made ${CMAKE_CURRENT_BINARY_DIR}/printed)
  file(MAKE_DIRECTORY ${made})
  file(STRINGS src/cli/commands.c names REGEX "&command_")
  string(REGEX MATCHALL "&command_[a-z]+" names "${names}")
  list(TRANSFORM names REPLACE "&command_" "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/cli/commands.c)
  set(prints COMMAND cuzk man > ${made}/cuzk.1)
  foreach(name IN LISTS names)
    list(APPEND prints COMMAND cuzk man ${name} > ${made}/cuzk-${name}.1)
    install(FILES ${made}/cuzk-${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
            COMPONENT programs)
  endforeach()
  foreach(shell bash zsh fish)
    list(APPEND prints COMMAND cuzk completion ${shell} > ${made}/cuzk.${shell})
  endforeach()
  add_custom_command(OUTPUT ${made}/cuzk.1 ${prints} DEPENDS cuzk VERBATIM)
  add_custom_target(cuzk_printed ALL DEPENDS ${made}/cuzk.1)
  install(FILES ${made}/cuzk.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT programs)
  install(FILES ${made}/cuzk.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME cuzk COMPONENT programs)
  install(FILES ${made}/cuzk.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          RENAME _cuzk COMPONENT programs)
  install(FILES ${made}/cuzk.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT programs)
endif()
if(TARGET cuzk-daemon)
  install(TARGETS cuzk-daemon RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  add_custom_command(OUTPUT ${made}/cuzk-daemon.1
    COMMAND cuzk-daemon --print-manual > ${made}/cuzk-daemon.1 DEPENDS cuzk-daemon VERBATIM)
  add_custom_target(cuzk_daemon_printed ALL DEPENDS ${made}/cuzk-daemon.1)
  install(FILES ${made}/cuzk-daemon.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          COMPONENT programs)
  include(cmake/package.cmake)
endif()
