"""The domain: parse, plan, observe, judge. Knows no technology."""
