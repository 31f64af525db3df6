# SPDX-License-Identifier: Apache-2.0 OR MIT
# `cpack -G DEB` in the build folder: one Debian package with the programs and the daemon's service.
# Its own files, whose places are absolute, are of component "service", which cmake --install leaves
# out; the library's headers are no part of it.
set(contrib ${PROJECT_SOURCE_DIR}/contrib)
set(service COMPONENT service EXCLUDE_FROM_ALL)
install(TARGETS cuzk-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${service})
install(FILES ${contrib}/cuzk.toml DESTINATION /etc/cuzk ${service})
install(FILES ${contrib}/systemd/cuzk-daemon.service DESTINATION lib/systemd/system ${service})
install(FILES ${contrib}/sysusers.d/cuzk.conf DESTINATION lib/sysusers.d ${service})
install(FILES ${contrib}/debian/copyright LICENSE-APACHE LICENSE-MIT
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cuzk ${service})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cuzk)
set(CPACK_PACKAGE_VENDOR "The cuzk authors")
set(CPACK_PACKAGE_CONTACT "The cuzk authors <cuzk@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "proving engine for Filecoin's proofs")
set(CPACK_PACKAGE_DESCRIPTION
    "Makes the Groth16 proofs that a storage provider owes the Filecoin chain: by the
 program cuzk, or by cuzk-daemon, which Curio calls over gRPC.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL programs service)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "systemd | systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${contrib}/debian/conffiles ${contrib}/debian/postinst
                                       ${contrib}/debian/prerm ${contrib}/debian/postrm)
include(CPack)
