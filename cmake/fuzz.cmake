# One program per fuzz/fuzz_NAME.c: a libFuzzer harness. `make fuzz` runs each; the smoke test runs each briefly.
file(GLOB fuzzSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source ${fuzzSources})
	get_filename_component(name ${source} NAME_WE)
	add_executable(${name} ${source})
	target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
	target_link_libraries(${name} PRIVATE reprise_static -fsanitize=fuzzer)
endforeach()
