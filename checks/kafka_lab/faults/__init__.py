"""The faults, one file each: `inject` breaks a lab, `heal` undoes that; the file's first line says what it does."""
