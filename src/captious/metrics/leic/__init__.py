"""LEIC: a critic that reads image, reference and candidate, trained to recognize human captions."""
