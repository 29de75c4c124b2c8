"""Events to alerts, alerts to channels. `rules_loop` decides in one Kafka transaction a poll, `courier` delivers beside it."""
