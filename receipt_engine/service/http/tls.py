"""TLS for the server: a secure context, certificate reload without a restart, development certificates."""

from __future__ import annotations

import datetime
import ipaddress
import logging
import os
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

log = logging.getLogger(__name__)

#: Validity of a development certificate.
_DAYS = 90


def server_context(certificate: str, private_key: str) -> ssl.SSLContext:
    """Returns a context for TLS 1.2 and newer with forward secrecy; raises OSError or ssl.SSLError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION
    context.load_cert_chain(certificate, private_key)
    return context


class Certificate:
    """A certificate and key on disk, and the TLS context made from them.

    `refresh` makes a new context when a file has changed; open connections keep theirs. The constructor
    raises OSError or ssl.SSLError when a file is unusable.
    """

    def __init__(self, certificate: str, private_key: str) -> None:
        self._files = (certificate, private_key)
        self._seen = self._state()
        self.context = server_context(*self._files)

    def refresh(self) -> bool:
        """Reloads changed files; returns whether it did. If they are unusable, the old context stays."""
        try:
            state = self._state()
            if state == self._seen:
                return False
            self.context = server_context(*self._files)
        except (OSError, ssl.SSLError) as error:  # half replaced, or wrong: retried at the next call
            log.warning("the certificate was not renewed", extra={"fields": {"reason": str(error)}})
            return False
        self._seen = state
        log.info("the certificate was renewed")
        return True

    def _state(self) -> list[tuple[int, int, int]]:
        found = [Path(file).stat() for file in self._files]
        return [(file.st_ino, file.st_size, file.st_mtime_ns) for file in found]


def development_certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """Returns the files (certificate, key) of a self-signed certificate for `host` and loopback.

    Creates them when missing or about to expire. Only for trying the service out: clients must be told to
    trust the certificate file.
    """
    certificate, private_key = folder / "dev-cert.pem", folder / "dev-key.pem"
    if certificate.exists() and private_key.exists() and _still_valid(certificate):
        return certificate, private_key
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "receipt-engine development")])
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName(_names(host)), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write(private_key, secret, 0o600)
    _write(certificate, built.public_bytes(serialization.Encoding.PEM), 0o644)
    return certificate, private_key


def _still_valid(certificate: Path) -> bool:
    loaded = x509.load_pem_x509_certificate(certificate.read_bytes())
    return loaded.not_valid_after_utc > datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)


def _names(host: str) -> list[x509.GeneralName]:
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    addresses = {"127.0.0.1", "::1"}
    try:
        addresses.add(str(ipaddress.ip_address(host)))
    except ValueError:
        names.append(x509.DNSName(host))
    return names + [x509.IPAddress(ipaddress.ip_address(address)) for address in sorted(addresses)]


def _write(path: Path, data: bytes, mode: int) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    temporary.replace(path)
