# Every test/unit/test_NAME.c is a program of its own, label unit; test/capture/test_NAME.c likewise, label
# capture, and skipped (exit 77) where the captured data is absent. test/cli/NAME.sh runs the program.
find_library(cmockaLibrary cmocka REQUIRED)
file(GLOB supportSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/support/*.c)
add_library(test_support STATIC ${supportSources})
target_include_directories(test_support PUBLIC ${PROJECT_SOURCE_DIR}/test/support ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(test_support PUBLIC reprise_static ${cmockaLibrary})

set(mocapFolder "$ENV{REPRISE_MOCAP}")
if(NOT mocapFolder)
	set(mocapFolder ${PROJECT_SOURCE_DIR}/../shared/mocap)
endif()

function(rp_test_environment name label)
	set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77
		ENVIRONMENT "REPRISE_MOCAP=${mocapFolder};REPRISE_SOURCE=${PROJECT_SOURCE_DIR};REPRISE_BUILD=${PROJECT_BINARY_DIR};REPRISE=${PROJECT_BINARY_DIR}/reprise")
endfunction()

foreach(label unit capture)
	file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/${label}/test_*.c)
	foreach(source ${sources})
		get_filename_component(name ${source} NAME_WE)
		add_executable(${name} ${source})
		target_link_libraries(${name} PRIVATE test_support)
		add_test(NAME ${name} COMMAND ${name})
		rp_test_environment(${name} ${label})
	endforeach()
endforeach()

foreach(label cli browser consumer fuzz-smoke)
	file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/${label}/*.sh)
	foreach(script ${scripts})
		get_filename_component(name ${script} NAME_WE)
		add_test(NAME ${label}_${name} COMMAND bash ${script} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
		rp_test_environment(${label}_${name} ${label})
	endforeach()
endforeach()

foreach(source ${sampleSources})
	get_filename_component(name ${source} NAME_WE)
	add_test(NAME sample_${name} COMMAND sample_${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
	rp_test_environment(sample_${name} unit)
endforeach()
