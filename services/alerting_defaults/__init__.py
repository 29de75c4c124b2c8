"""The rules that ship: used where no rules.yaml is given."""
