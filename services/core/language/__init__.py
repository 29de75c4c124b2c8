"""What a text holds, in any language: words, numbers, names, quotations."""
