"""What was done and seen: the record of an incident, walks and kept facts beside a run. Knows no terminal."""
