"""Tests of the results: recording, checking, reading, statistics, figures."""
