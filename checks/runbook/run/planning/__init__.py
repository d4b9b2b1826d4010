"""Which checks of which subjects, with which facts, by when: before anything is asked."""
