"""What the end-to-end tests stand on: a server process, its command line, raw HTTP and the people who click."""
