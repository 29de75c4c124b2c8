"""Every metric that the services show on /metrics, in one place. Times are in seconds, sizes in bytes."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

_MILLISECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

# -- publisher ---------------------------------------------------------------------------------------------------------

PUBLISHED: Final = Counter("writethru_published_total", "Records that the broker has acknowledged", ["edition"])
REJECTED: Final = Counter("writethru_rejected_total", "Inputs sent to wire.rejected", ["service", "reason"])
SKIPPED: Final = Counter("writethru_skipped_total", "Items that are no story: pictures, packages, planning", ["kind"])

# -- feeds -------------------------------------------------------------------------------------------------------------

FEED_ITEMS: Final = Counter("writethru_feed_items_total", "Items by what became of them", ["feed", "outcome"])
FEED_HEALTHY: Final = Gauge("writethru_feed_healthy", "1 while a feed can be read; 0: see the log for why", ["feed"])
FEED_QUIET: Final = Gauge("writethru_feed_quiet", "1 once a feed has been silent for its quiet_after", ["feed"])
FEED_LAST_ITEM: Final = Gauge("writethru_feed_last_item_seconds", "Unix time of a feed's last item", ["feed"])
FEED_FAILURES: Final = Counter("writethru_feed_failures_total", "Looks at a feed that came to nothing", ["feed"])
PUSHED: Final = Counter("writethru_push_requests_total", "Answers of POST /v1/articles", ["status"])

# -- grouper -----------------------------------------------------------------------------------------------------------

DECIDED: Final = Counter("writethru_decided_total", "Rows written, by what was decided", ["edition", "relation"])
REDELIVERED: Final = Counter("writethru_redelivered_total", "Inputs that had a row already", ["edition"])
RESENT: Final = Counter("writethru_resent_total", "Rows sent again after a restart, same bytes", ["edition"])
EXPIRED: Final = Counter("writethru_expired_total", "Rows that left the window", ["edition"])
WINDOW: Final = Gauge("writethru_window_rows", "Rows in the window", ["edition"])
STORIES: Final = Gauge("writethru_window_stories", "Stories in the window", ["edition"])
RECOVERED: Final = Gauge("writethru_recovered_rows", "Rows folded since this process started", ["edition"])
DECISION_SECONDS: Final = Histogram(
    "writethru_decision_seconds", "From record to row and revisions", buckets=_MILLISECONDS
)

# -- emitter -----------------------------------------------------------------------------------------------------------

EMITTED: Final = Counter("writethru_emitted_total", "Events committed to story.events", ["type"])
REPEATED: Final = Counter("writethru_repeated_total", "Revisions at or below their story's mark, not emitted again")
EMISSION_SECONDS: Final = Histogram("writethru_emission_seconds", "From revision to event", buckets=_MILLISECONDS)
TRANSACTION_SECONDS: Final = Histogram("writethru_transaction_seconds", "One Kafka transaction", buckets=_MILLISECONDS)

# -- alerter -----------------------------------------------------------------------------------------------------------

ALERTED: Final = Counter("writethru_alerts_total", "Alerts made", ["kind"])
RULED: Final = Counter("writethru_rulings_total", "Rulings by what became of the event", ["state", "code"])
HELD: Final = Gauge("writethru_alerts_held", "Alerts that wait for their group, quiet hours, a digest or an embargo")
DELIVERED: Final = Counter("writethru_deliveries_total", "Attempts by what they came to", ["channel", "outcome"])
DELIVERY_SECONDS: Final = Histogram(
    "writethru_delivery_seconds", "One attempt to deliver", ["kind"], buckets=_MILLISECONDS
)
ALERT_SECONDS: Final = Histogram(
    "writethru_alert_seconds", "From an alert to its delivery, retries and waits for an endpoint included",
    buckets=(*_MILLISECONDS, 60.0, 600.0, 3_600.0, 86_400.0),
)  # fmt: skip
ENDPOINTS_DOWN: Final = Gauge("writethru_endpoints_down", "Channels that failed last and are left alone for a while")
ENDPOINTS_DISABLED: Final = Gauge("writethru_endpoints_disabled", "Channels that answered 410 and get nothing more")

# -- all ---------------------------------------------------------------------------------------------------------------

LAG: Final = Gauge("writethru_lag_records", "Records behind the end of the partition", ["topic", "partition"])
READY: Final = Gauge("writethru_ready", "1 while the service does its work", ["service"])
