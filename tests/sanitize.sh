#!/bin/sh
# The loops' tests with loops that stop at undefined operations, at memory that is not theirs and at
# indices out of bounds. They are built from scratch in a copy of the package in build/sanitized, so
# that those in use stay as they are. Needs gcc. Usage: [PYTHON=...] tests/sanitize.sh [PYTEST ARGUMENTS]
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-.venv/bin/python}
BUILD=build/sanitized
PACKAGE=$BUILD/package

rm -rf "$PACKAGE"
mkdir -p "$PACKAGE"
# Resources are linked, not copied: they are large, and only read.
tar -C src -cf - --exclude captious/resources --exclude __pycache__ --exclude '*.so' captious |
	tar -C "$PACKAGE" -xf -
ln -s "$PWD/src/captious/resources" "$PACKAGE/captious/resources"
CC=gcc CAPTIOUS_SANITIZE=1 "$PYTHON" setup.py --quiet build_ext \
	--build-lib "$PACKAGE" --build-temp "$BUILD/objects"

# Python itself is not built with the sanitizers, so their library must be there before it; and the
# C++ library, whose exceptions they watch. Python's own allocator would hide overruns from them.
LIBRARIES="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)"
if [ $# -eq 0 ]; then
	set -- tests/_internal/loops tests/_internal/arrays/test_row_products.py tests/metrics/test_rouge_l.py --ignore tests/_internal/loops/test_uncompiled_package.py
fi
exec env LD_PRELOAD="$LIBRARIES" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	PYTHONMALLOC=malloc PYTHONPATH="$PACKAGE" "$PYTHON" -m pytest --capture=sys -p no:cacheprovider "$@"
