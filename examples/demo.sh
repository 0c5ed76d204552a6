#!/bin/sh
# Scores three made-up systems and compares two of them: what `make demo` shows.
set -eu
captious="${BIN:-.venv/bin}/captious"
examples=$(dirname "$0")
scores=$(mktemp -d)
trap 'rm -rf "$scores"' EXIT

for system in careful terse hasty; do
    echo "== $system"
    "$captious" score "$examples/$system.jsonl" --references "$examples/references.jsonl" \
        --df coco-val2014 --output "$scores/$system.jsonl"
    echo
done
echo "== A: terse, B: careful"
"$captious" compare "$scores/terse.jsonl" "$scores/careful.jsonl"
echo
echo "== A: hasty, B: careful"
"$captious" compare "$scores/hasty.jsonl" "$scores/careful.jsonl"
echo
echo "== what SPICE compares: objects, attributes and relations"
"$captious" graph "a brown dog is lying on a couch next to two cats"
echo
echo "== why a caption scores as it does"
"$captious" explain "a cat on a bench" "a dog sits on a bench" "a brown dog on a park bench"
