"""What the course's numbers lie in and how its charts look. See README.md in this folder."""
