"""The verbs of `./course`, and what they share. Start at cli.py."""
