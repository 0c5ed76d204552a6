"""Why scores are what they are: what candidates, references and their ids give away."""
