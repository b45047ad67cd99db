"""The labs: what `./course lab` is made of."""
