"""Whether metrics notice that captions were made worse on purpose."""
