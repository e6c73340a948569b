"""The rules, one small unit each, in one literal table."""
