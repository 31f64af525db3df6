# SPDX-License-Identifier: Apache-2.0 OR MIT
# The few commands a newcomer needs; everything else is CMake's (see README.md).
.PHONY: demo test build configure packages
PRESET := release

build: configure
	@cmake --build --preset $(PRESET)

demo: configure
	@cmake --build --preset $(PRESET) --target cuzk cuzk-daemon
	@tools/demo.py build/$(PRESET)

test: build
	@tools/check_layers.py
	@tools/check_style.py
	@tools/check_format.sh
	@tools/check_generated.sh
	@tools/check_symbols.sh build/$(PRESET)/src/api/libcuzk.so build/$(PRESET)/src/api/libcuzk.a
	@ctest --test-dir build/$(PRESET) --output-on-failure -j 2 -LE slow

configure: packages
	@tools/fetch_blst.sh
	@[ -f build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET) >/dev/null

packages:
	@tools/install_packages.sh
