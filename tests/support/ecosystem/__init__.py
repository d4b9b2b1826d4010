"""What a lab with a Schema Registry and Connect is brought into: all right, all wrong, and single states between."""
