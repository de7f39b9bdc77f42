/// What tools/build_web makes of web/, put into the library by the build (cmake/embed.cmake), each followed by a zero.
#pragma once

#include <stddef.h>

extern const unsigned char rpAsset_page_html[];
extern const size_t rpAsset_page_html_size;
extern const unsigned char rpAsset_page_css[];
extern const size_t rpAsset_page_css_size;
extern const unsigned char rpAsset_page_js[];
extern const size_t rpAsset_page_js_size;
extern const unsigned char rpAsset_reprise_play_wasm[];
extern const size_t rpAsset_reprise_play_wasm_size;
