"""What was found, told as text: lists, cards, pages and tables for people, and their like for programs."""
