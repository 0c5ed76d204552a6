"""LEIC: a critic that reads image, reference and candidate, trained to tell people's captions."""
