"""Why scores are what they are: checks of inputs, diversity, explanations, scene graphs."""
