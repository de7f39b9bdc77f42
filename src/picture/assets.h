/// The files under assets/, put into the library by the build (cmake/embed.cmake), each followed by a zero.
#pragma once

#include <stddef.h>

extern const unsigned char rpAsset_viewer_html[];
extern const size_t rpAsset_viewer_html_size;
extern const unsigned char rpAsset_viewer_css[];
extern const size_t rpAsset_viewer_css_size;
extern const unsigned char rpAsset_viewer_js[];
extern const size_t rpAsset_viewer_js_size;
