# How everything is compiled. Strict C17, no contraction of a*b+c: the same bytes on every machine of a kind.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_options(-Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings
	-Wvla -ffp-contract=off)
# What POSIX and the locale functions need to be seen under strict C17.
add_compile_definitions(_GNU_SOURCE)

set(CMAKE_C_FLAGS_RELEASE "-O3 -g1 -fno-math-errno -fno-trapping-math")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")

if(RP_ASSERTIONS)
	add_compile_definitions(RP_ASSERTIONS)
endif()
if(RP_SANITIZE)
	add_compile_options(-fsanitize=${RP_SANITIZE} -fno-sanitize-recover=all)
	add_link_options(-fsanitize=${RP_SANITIZE})
endif()
if(RP_FUZZ)
	add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
	add_link_options(-fsanitize=address,undefined)
endif()

# Kernels for one kind of machine, chosen at run time: the rest of the tree runs on every x86-64. They round as the
# portable ones do, without fused products: the same graph from any of them.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
	set_source_files_properties(${PROJECT_SOURCE_DIR}/src/distance/grid_avx2.c PROPERTIES
		COMPILE_OPTIONS "-mavx2")
	set_source_files_properties(${PROJECT_SOURCE_DIR}/src/distance/grid_avx512.c PROPERTIES
		COMPILE_OPTIONS "-mavx512f;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
endif()
