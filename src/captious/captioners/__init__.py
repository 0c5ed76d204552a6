"""Captioners: small networks that write a caption word by word from an image's vector."""
