# The service with its engine. Build: docker build -t receipt-engine .
# Run behind your own certificate:
#   docker run -p 8443:8443 -v receipts:/var/lib/receipt-engine -v /etc/tls:/tls:ro \
#     -e RECEIPT_ENGINE_CERTIFICATE=/tls/cert.pem -e RECEIPT_ENGINE_PRIVATE_KEY=/tls/key.pem receipt-engine
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY receipt_engine receipt_engine
COPY regions regions
COPY models models
RUN python -m venv /opt/receipt-engine && /opt/receipt-engine/bin/pip install --no-cache-dir '.[service]'

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/receipt-engine --create-home receipt-engine \
    && chmod 700 /var/lib/receipt-engine
COPY --from=build /opt/receipt-engine /opt/receipt-engine
ENV PATH=/opt/receipt-engine/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    RECEIPT_ENGINE_DATA_DIR=/var/lib/receipt-engine \
    RECEIPT_ENGINE_HOST=0.0.0.0
USER receipt-engine
VOLUME /var/lib/receipt-engine
EXPOSE 8443
# Operations (health, readiness, metrics) stay on the container's loopback, port 9464.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9464/health', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["receipt-engine"]
CMD ["serve"]
