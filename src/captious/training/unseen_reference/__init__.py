"""The unseen reference: a caption is as good as it is like what another person would write."""
