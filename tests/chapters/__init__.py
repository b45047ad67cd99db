"""Tests of the chapters' broken programs and exercises."""
