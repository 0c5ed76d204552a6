"""Arguments, numbers and arrays that users give, checked before any work."""
