"""What a report for metric researchers shows: metrics beside people's judgements of captions."""
