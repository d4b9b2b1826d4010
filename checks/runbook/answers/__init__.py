"""What systems may be asked and what they answered, as plain records and functions: no request, no client library."""
