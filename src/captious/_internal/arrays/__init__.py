"""Arrays of rows that differ in length, and products that do not depend on their batch."""
