"""What a system's captions are like as a whole: how many words it uses, how often it repeats."""
