# syntax=docker/dockerfile:1
# The service with its engine.
#   docker build -t receipt-engine .
#   docker run -d --name receipts --read-only --tmpfs /tmp --cap-drop ALL \
#     --security-opt no-new-privileges -p 443:8443 \
#     -v receipts:/var/lib/receipt-engine -v /etc/tls:/tls:ro \
#     -e RECEIPT_ENGINE_CERTIFICATE=/tls/cert.pem -e RECEIPT_ENGINE_PRIVATE_KEY=/tls/key.pem receipt-engine
#   docker exec receipts receipt-engine account create NAME
# Several hosts with PostgreSQL: docs/service/compose.yaml and docs/service/kubernetes.yaml.
# The key file must be readable by the user 10001. To pin the base to its digest:
#   docker build --build-arg BASE=python:3.12.11-slim-bookworm@sha256:… -t receipt-engine .
ARG BASE=python:3.12.11-slim-bookworm

FROM ${BASE} AS build
WORKDIR /source
# Every dependency comes as a wheel; a compiler is not wanted in here.
ENV PIP_NO_CACHE_DIR=1 PIP_ONLY_BINARY=:all: PIP_DISABLE_PIP_VERSION_CHECK=1
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY LICENSES LICENSES
COPY receipt_engine receipt_engine
COPY regions regions
COPY models models
RUN python -m venv /opt/receipt-engine \
    && PIP_ONLY_BINARY= /opt/receipt-engine/bin/pip wheel --no-deps --wheel-dir /wheels . \
    && /opt/receipt-engine/bin/pip install "$(echo /wheels/*.whl)[service,s3]" \
    && /opt/receipt-engine/bin/python -m compileall -q /opt/receipt-engine/lib

# The wheels bring their libraries; of the system they need the C and C++ runtime, which the base has.
FROM ${BASE}
RUN useradd --system --uid 10001 --no-log-init --home-dir /var/lib/receipt-engine --create-home \
        --shell /usr/sbin/nologin receipt-engine \
    && chmod 700 /var/lib/receipt-engine
COPY --from=build /opt/receipt-engine /opt/receipt-engine
ENV PATH=/opt/receipt-engine/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    RECEIPT_ENGINE_DATA_DIR=/var/lib/receipt-engine \
    RECEIPT_ENGINE_HOST=0.0.0.0 \
    RECEIPT_ENGINE_OPERATIONS_HOST=0.0.0.0
USER 10001:10001
WORKDIR /var/lib/receipt-engine
VOLUME /var/lib/receipt-engine
# Health, readiness and metrics are on 9464, for probes and Prometheus on the container network: publish 8443 only.
EXPOSE 8443 9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD \
    ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9464/health', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["receipt-engine"]
CMD ["serve"]
