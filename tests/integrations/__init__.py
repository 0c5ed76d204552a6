"""Other people's frameworks, with the real libraries where these are installed."""
