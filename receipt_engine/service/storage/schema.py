"""Defines the tables, for SQLite and PostgreSQL alike. Times are integer milliseconds since the epoch."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

metadata = MetaData()

#: Facts about the installation, one per row: schema version, secrets wrapped by a master key.
facts = Table(
    "facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("key_id", String(32)),
    Column("value", LargeBinary, nullable=False),
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("credits", BigInteger, nullable=False),
    Column("password", String(300)),
    Column("upload_rate", Float),
    Column("upload_burst", Float),
    Column("custom_fields", String(500), nullable=False, default=""),  # names, separated by commas
    Column("disabled", Boolean, nullable=False, default=False),
    Column("created_at", BigInteger, nullable=False),
    CheckConstraint("credits >= 0", name="credits_never_negative"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(16), primary_key=True),  # the first 16 characters of the key
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("digest", LargeBinary, nullable=False),  # HMAC-SHA256 of the whole key
    Column("profile", String(16), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("name", String(100), nullable=False, server_default=""),
    Column("used_at", BigInteger),  # accurate to 15 minutes
    Column("revoked_at", BigInteger),  # refused from then on; may be in the future (rotation with grace)
)

#: Every change of an account's credits. The sum of `delta` is the balance.
ledger = Table(
    "ledger",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("token", String(16), unique=True),  # the upload that was charged; null for top-ups
    Column("delta", BigInteger, nullable=False),
    Column("reason", String(200), nullable=False),
    Column("at", BigInteger, nullable=False),
)

#: One distinct image of one account, with the options of its first upload.
images = Table(
    "images",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("digest", LargeBinary, nullable=False),  # keyed; equal for equal images of one account
    Column("key_id", String(32), nullable=False, index=True),
    Column("wrapped_key", LargeBinary, nullable=False),
    Column("size", Integer, nullable=False),
    Column("options", String(500), nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
    UniqueConstraint("account_id", "digest", name="one_row_per_picture"),
)

#: Encrypted images, when they are stored in the database instead of files.
blobs = Table(
    "blobs",
    metadata,
    Column("image_id", String(32), primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
)

uploads = Table(
    "uploads",
    metadata,
    Column("token", String(16), primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("image_id", ForeignKey("images.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("code", Integer, nullable=False),  # 200 or 300
    Column("duplicate_of", String(16)),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
    Index("recent_uploads", "account_id", "created_at"),
)

#: The queue and its results: one job per image. queued → running → done | failed; the last two are final.
jobs = Table(
    "jobs",
    metadata,
    Column("image_id", ForeignKey("images.id", ondelete="CASCADE"), primary_key=True),
    Column("account_id", Integer, nullable=False, index=True),
    Column("state", String(8), nullable=False),
    Column("queued_at", BigInteger, nullable=False),
    Column("turn", BigInteger, nullable=False, server_default="0"),  # processing order, fair between accounts
    Column("not_before", BigInteger, nullable=False),
    Column("lease", String(32)),  # secret of the current claim; changes with every claim
    Column("lease_until", BigInteger),
    Column("owner", String(100)),  # the worker process that holds the lease
    Column("faults", Integer, nullable=False, default=0),
    Column("losses", Integer, nullable=False, default=0),
    Column("started_at", BigInteger),
    Column("finished_at", BigInteger),
    Column("sealed_result", LargeBinary),
    Index("next_job", "state", "not_before", "queued_at"),
    Index("fair_job", "state", "turn", "queued_at"),
    Index("turns_of_account", "account_id", "state", "turn"),
)

#: Audit events of accounts, keys and sessions. account_id is not a foreign key and may be null.
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("account_id", Integer, index=True),
    Column("event", String(40), nullable=False),
    Column("detail", String(200), nullable=False),
    Column("origin", String(100), nullable=False),
)

#: A person's corrections of a result, stored beside it; the result itself never changes. Encrypted with the
#: image's data key.
corrections = Table(
    "corrections",
    metadata,
    Column("image_id", ForeignKey("images.id", ondelete="CASCADE"), primary_key=True),
    Column("account_id", Integer, nullable=False, index=True),
    Column("sealed", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
)

#: URLs that are notified of results. salt: input for deriving the signing secret.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("url", String(500), nullable=False),
    Column("salt", String(32), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False, default=0),  # consecutive
    Column("paused_until", BigInteger, nullable=False, default=0),
    Column("stopped_at", BigInteger),  # when it answered 410 Gone
)

#: Webhook notifications. state: waiting (for the job), due, then delivered or failed.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("webhook_id", ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
    Column("image_id", ForeignKey("images.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("token", ForeignKey("uploads.token", ondelete="CASCADE"), nullable=False, index=True),
    Column("event", String(40), nullable=False),
    Column("state", String(10), nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("status", Integer),  # HTTP status of the last answer; 0: no answer
    Column("ended_at", BigInteger),
    Index("next_delivery", "webhook_id", "state", "due_at"),
)

#: Dashboard sessions; only a digest of the cookie is stored.
sessions = Table(
    "sessions",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=False),
)

#: Which worker processes are alive and ready, for the readiness check.
workers = Table(
    "workers",
    metadata,
    Column("owner", String(100), primary_key=True),
    Column("host", String(100), nullable=False),
    Column("ready_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
)
