"""What is known of a caption's text: one file a layer, each computed once per unique caption."""
