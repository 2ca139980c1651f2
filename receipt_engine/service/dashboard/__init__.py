"""The account dashboard: server-rendered pages behind a session; no script, no build step."""
