"""One module a verb. Each has DESCRIPTION, EXAMPLES, add_arguments(parser) and run(options, console)."""
