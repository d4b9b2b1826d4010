"""Plain records of what is asked, seen and said, and what can go wrong: no room knows less."""
