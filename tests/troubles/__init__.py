"""Tests of what the troubleshooting page promises; docs/data/troubles.toml names them."""
