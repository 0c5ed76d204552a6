"""Word mover's distance under the names of coco-caption's forks."""
