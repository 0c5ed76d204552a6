"""What a report of several systems shows, gathered from their results."""
