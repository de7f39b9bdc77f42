# make install: the libraries, headers, pkg-config and CMake config, the module for browsers, the program, its man pages
# and completions.
include(CMakePackageConfigHelpers)

install(TARGETS reprise_play reprise_play_static reprise_shared reprise_performer EXPORT reprise
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/reprise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT reprise NAMESPACE reprise:: FILE reprise-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/reprise)
file(WRITE ${PROJECT_BINARY_DIR}/reprise-config.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/reprise-targets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/reprise-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/reprise-config.cmake ${PROJECT_BINARY_DIR}/reprise-config-version.cmake
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/reprise)

# Relocatable: the prefix is found from where the .pc file stands, so DESTDIR and PREFIX need no second build.
file(RELATIVE_PATH upFromPkgconfig /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
function(rp_write_pkgconfig name description)
	file(WRITE ${PROJECT_BINARY_DIR}/${name}.pc
"prefix=\${pcfiledir}/${upFromPkgconfig}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}

Name: ${name}
Description: ${description}
Version: ${PROJECT_VERSION}
Requires: ${ARGN}
Cflags: -I\${includedir}
Libs: -L\${libdir} -l${name}
Libs.private: -lm
")
	install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
rp_write_pkgconfig(reprise "Performs captured human motion anew")
rp_write_pkgconfig(reprise_play "The runtime of Reprise: libc and libm alone")
rp_write_pkgconfig(reprise_performer "Human motion by formula, with its ground truth" reprise)

install(FILES LICENSE THIRD_PARTY.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The players in WebAssembly, with their ES module: a folder that npm takes as a package.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build-web/npm/ DESTINATION ${CMAKE_INSTALL_DATADIR}/reprise/web)

# Manual and completions come out of the program's own table of commands.
if(TARGET reprise)
	set(manual ${PROJECT_BINARY_DIR}/manual)
	add_custom_command(OUTPUT ${manual}/done DEPENDS reprise ${PROJECT_SOURCE_DIR}/tools/write_manual
		COMMAND ${PROJECT_SOURCE_DIR}/tools/write_manual $<TARGET_FILE:reprise> ${manual}
		COMMAND ${CMAKE_COMMAND} -E touch ${manual}/done VERBATIM)
	add_custom_target(manual ALL DEPENDS ${manual}/done)
	install(TARGETS reprise RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
	install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
	install(FILES ${manual}/reprise.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME reprise)
	install(FILES ${manual}/_reprise DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
	install(FILES ${manual}/reprise.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
