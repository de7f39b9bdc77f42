# One program per fuzz/fuzz_NAME.c: a libFuzzer harness. `make fuzz` runs each for minutes; the smoke test runs each
# over the seeds and for a few hundred inputs beyond them.
enable_testing()
add_executable(make_seeds ${PROJECT_SOURCE_DIR}/fuzz/make_seeds.c)
target_include_directories(make_seeds PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(make_seeds PRIVATE RP_KEEP="${PROJECT_SOURCE_DIR}/test/keep")
target_link_libraries(make_seeds PRIVATE reprise_performer_static)
add_test(NAME fuzz_seeds COMMAND make_seeds ${PROJECT_BINARY_DIR}/seeds)
set_tests_properties(fuzz_seeds PROPERTIES LABELS fuzz-smoke FIXTURES_SETUP seeds)

file(GLOB fuzzSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source ${fuzzSources})
	get_filename_component(name ${source} NAME_WE)
	string(REPLACE fuzz_ "" seeds ${name})
	add_executable(${name} ${source})
	target_compile_options(${name} PRIVATE -Wno-missing-prototypes)
	target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
	target_compile_definitions(${name} PRIVATE RP_FUZZING RP_KEEP="${PROJECT_SOURCE_DIR}/test/keep")
	target_link_libraries(${name} PRIVATE reprise_cli -fsanitize=fuzzer)
	add_test(NAME ${name}_smoke COMMAND ${name} -runs=1000 -seed=1 -max_len=16384 -timeout=20 -verbosity=0
		-artifact_prefix=${PROJECT_BINARY_DIR}/crash-${seeds}- ${PROJECT_BINARY_DIR}/seeds/${seeds})
	set_tests_properties(${name}_smoke PROPERTIES LABELS fuzz-smoke FIXTURES_REQUIRED seeds)
endforeach()
