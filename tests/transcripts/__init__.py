"""Transcripts in small, made for the tests of each reader; `test_readers_laws` holds all of them to the laws."""
