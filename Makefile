# The Makefile only calls the presets of CMakePresets.json; tools/setup installs what is missing.
