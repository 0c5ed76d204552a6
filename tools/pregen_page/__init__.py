"""The sections of docs/pregen_search.md, for tools/build_pregen_page.py."""
