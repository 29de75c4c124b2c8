"""Rules on the change: which subscriber wants which event, when it may ring, and why not.

Pure: an event, a time and what was remembered go in; alerts, rulings (a reason for every non-alert) and rows to remember
come out. `desk.Alerting` is the door; `rule` says what a rule can ask, `alert` what comes out.
"""
