"""How near a candidate lies to what its references say together."""
