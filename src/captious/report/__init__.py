"""Results as text, JSON, Markdown and LaTeX."""
