"""One module a verb: DESCRIPTION, EXAMPLES, add_arguments(parser), run(options, console)."""
