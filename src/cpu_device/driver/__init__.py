"""The compiler driver of the CPU device: options, two passes, IR glue, linking."""
