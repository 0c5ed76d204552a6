"""BERTScore, and BERTScore with combined references."""
