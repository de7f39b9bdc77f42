# Three libraries. libreprise_play is what a game or a browser needs: libc and libm alone. libreprise holds the same
# objects and everything above the line: a program links one or the other. libreprise_performer stands on libreprise and
# uses what any program can (public headers, reprise/play/extend.h among them): the engine is built and linked without it.
set(playRooms base math motion body feet blend timeline model live)
set(workRooms work linalg edit analysis file doctor library distance align transition learn build solve judge picture)

function(rp_add_rooms target)
	set(sources)
	foreach(room ${ARGN})
		file(GLOB roomSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.c)
		list(APPEND sources ${roomSources})
	endforeach()
	add_library(${target} OBJECT ${sources})
	target_compile_definitions(${target} PRIVATE RP_BUILDING)
	target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
endfunction()

# What runs in a browser (tools/build_web), in a folder that all builds of the tree share, put into the library as bytes:
# NAME.EXT becomes rpAsset_NAME_EXT, see picture/assets.h.
function(rp_embed_web target)
	set(folder ${PROJECT_SOURCE_DIR}/build-web)
	set(stamp ${PROJECT_BINARY_DIR}/generated/web.stamp)
	set(sources)
	foreach(room ${playRooms})
		list(APPEND sources ${PROJECT_SOURCE_DIR}/src/${room}/*.[ch])
	endforeach()
	file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/include/reprise/play/*.h ${PROJECT_SOURCE_DIR}/web/*.ts
		${PROJECT_SOURCE_DIR}/web/*.c ${PROJECT_SOURCE_DIR}/web/*.js ${PROJECT_SOURCE_DIR}/web/*.css ${PROJECT_SOURCE_DIR}/web/*.html)
	list(FILTER sources EXCLUDE REGEX "/node_modules/")
	add_custom_command(OUTPUT ${stamp}
		COMMAND ${PROJECT_SOURCE_DIR}/tools/build_web ${folder} COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
		DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/tools/build_web VERBATIM)
	add_custom_target(web DEPENDS ${stamp})
	foreach(name ${ARGN})
		string(MAKE_C_IDENTIFIER ${name} identifier)
		set(output ${PROJECT_BINARY_DIR}/generated/asset_${identifier}.c)
		add_custom_command(OUTPUT ${output}
			COMMAND ${CMAKE_COMMAND} -DINPUT=${folder}/${name} -DOUTPUT=${output} -DNAME=rpAsset_${identifier} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
			DEPENDS ${stamp} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
		target_sources(${target} PRIVATE ${output})
	endforeach()
endfunction()

rp_add_rooms(play_objects ${playRooms})
rp_add_rooms(work_objects ${workRooms})
rp_add_rooms(performer_objects performer)
rp_embed_web(work_objects page.html page.css page.js reprise-play.wasm)
set(workDependencies SQLite::SQLite3 PkgConfig::cairo PkgConfig::jansson PkgConfig::xxhash PkgConfig::expat PkgConfig::zlib OpenMP::OpenMP_C)
target_link_libraries(work_objects PRIVATE ${workDependencies})

# For our own programs and tests, hidden functions included.
add_library(reprise_static STATIC $<TARGET_OBJECTS:play_objects> $<TARGET_OBJECTS:work_objects>)
target_include_directories(reprise_static PUBLIC ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(reprise_static PUBLIC ${workDependencies} m)
add_library(reprise_performer_static STATIC $<TARGET_OBJECTS:performer_objects>)
target_link_libraries(reprise_performer_static PUBLIC reprise_static)

add_library(reprise_play SHARED $<TARGET_OBJECTS:play_objects>)

# The same for who links a game in one piece: libreprise_play.a.
add_library(reprise_play_static STATIC $<TARGET_OBJECTS:play_objects>)
set_target_properties(reprise_play_static PROPERTIES OUTPUT_NAME reprise_play)
target_compile_definitions(reprise_play_static INTERFACE RP_STATIC)
target_link_libraries(reprise_play_static INTERFACE m)
target_include_directories(reprise_play_static INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
add_library(reprise_shared SHARED $<TARGET_OBJECTS:play_objects> $<TARGET_OBJECTS:work_objects>)
set_target_properties(reprise_shared PROPERTIES OUTPUT_NAME reprise)
target_link_libraries(reprise_play PRIVATE m)
target_link_libraries(reprise_shared PRIVATE ${workDependencies} m)
add_library(reprise_performer SHARED $<TARGET_OBJECTS:performer_objects>)
target_link_libraries(reprise_performer PUBLIC reprise_shared PRIVATE m)
foreach(library reprise_play reprise_shared reprise_performer)
	target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
	# Before 1.0 every minor version may change the binary interface.
	set_target_properties(${library} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endforeach()
set_target_properties(reprise_shared PROPERTIES EXPORT_NAME reprise)
