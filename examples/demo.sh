#!/bin/sh
# Scores three made-up systems, looks at single captions, and ends with a report for the browser:
# what `make demo` shows. The scores and the report stay in build/demo.
set -eu
bin="${BIN:-.venv/bin}"
root=$(cd "$(dirname "$0")/.." && pwd)
examples="$root/examples"
build="$root/build/demo"
mkdir -p "$build"

echo "== three systems beside one another"
"$bin/captious" score "$examples/careful.jsonl" "$examples/terse.jsonl" "$examples/hasty.jsonl" \
    --references "$examples/references.jsonl" --df coco-val2014 \
    --metrics coco,captious,diversity --output "$build/*.jsonl"
echo
echo "== what SPICE compares: objects, attributes and relations"
"$bin/captious" graph "a brown dog is lying on a couch next to two cats"
echo
echo "== why a caption scores as it does"
"$bin/captious" explain "a cat on a bench" "a dog sits on a bench" "a brown dog on a park bench"
echo
echo "== a report for the browser: every sample, where systems disagree, what each one fails on"
# Pictures are put into the page by Pillow; where it is not installed, the page links to them.
link=$("$bin/python" -c "import PIL" 2>/dev/null || echo --link-images)
"$bin/captious" report "$build/careful.jsonl" "$build/terse.jsonl" "$build/hasty.jsonl" --quiet \
    --images "$examples/pictures" $link --title "Three made-up systems" \
    --output "$build/report.html"
