# The program, the benchmark, the samples: public headers only (tools/check_includes holds them to it). Samples are built
# with the tests, which run them.
# Everything of the program but main is an archive, for the fuzzers too.
file(GLOB cliSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
list(REMOVE_ITEM cliSources ${PROJECT_SOURCE_DIR}/cli/main.c)
add_library(reprise_cli STATIC ${cliSources})
target_include_directories(reprise_cli PUBLIC ${PROJECT_SOURCE_DIR}/cli)
target_link_libraries(reprise_cli PUBLIC reprise_performer_static)
add_executable(reprise ${PROJECT_SOURCE_DIR}/cli/main.c)
target_link_libraries(reprise PRIVATE reprise_cli)

file(GLOB benchSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
if(benchSources)
	add_executable(reprise-bench ${benchSources})
	target_include_directories(reprise-bench PRIVATE ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR}/src)
	target_link_libraries(reprise-bench PRIVATE reprise_performer_static)
endif()

file(GLOB sampleSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/samples/*.c)
foreach(source ${sampleSources})
	get_filename_component(name ${source} NAME_WE)
	add_executable(sample_${name} EXCLUDE_FROM_ALL ${source})
	target_link_libraries(sample_${name} PRIVATE reprise_performer_static)
	add_dependencies(tests sample_${name})
endforeach()
