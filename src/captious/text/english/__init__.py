"""English: its stop words, stems, lemmas and synonyms."""
