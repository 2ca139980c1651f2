"""Encryption at rest: master keys, a data key per image, and sealed (encrypted, authenticated) bytes.

A master key never encrypts an image. Each image has its own random data key, stored only wrapped with the
active master key; image and result are sealed with the data key. Rotation rewraps data keys and leaves images
unchanged; deleting the wrapped key makes every copy of image and result unreadable.

Sealed form: 12 random bytes of nonce, then AES-256-GCM ciphertext and tag. The kind and owner of the bytes
are authenticated too (`context`), so one sealed result cannot be substituted for another.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.blobs import sync_folder

KEY_BYTES = 32
_NONCE_BYTES = 12
_KEY_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")


class VaultError(Exception):
    """Keys are missing or wrong, or do not fit the sealed bytes; the message says which."""


def new_key() -> bytes:
    """Returns a fresh random data key."""
    return secrets.token_bytes(KEY_BYTES)


def seal(key: bytes, plain: bytes, context: str) -> bytes:
    """Encrypts and authenticates bytes. context: `unseal` needs the same one."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, context.encode())


def unseal(key: bytes, sealed: bytes, context: str) -> bytes:
    """The inverse of `seal`; raises VaultError when bytes, key or context were changed."""
    try:
        return AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], context.encode())
    except (InvalidTag, ValueError) as error:
        raise VaultError(f"Stored bytes cannot be decrypted ({context.split(':')[0]}).") from error


@dataclass(frozen=True)
class MasterKeys:
    """Master keys by id. active: the id of the key that wraps; the others only unwrap."""

    keys: Mapping[str, bytes]
    active: str

    def wrap(self, data_key: bytes, context: str) -> tuple[str, bytes]:
        """Returns (id of the master key, wrapped data key)."""
        return self.active, seal(self.keys[self.active], data_key, f"key:{self.active}:{context}")

    def unwrap(self, key_id: str, wrapped: bytes, context: str) -> bytes:
        """Returns the data key; raises VaultError when the master key is not loaded or wrong."""
        if key_id not in self.keys:
            raise VaultError(f"The master key {key_id} is not loaded; put it back into the key file.")
        return unseal(self.keys[key_id], wrapped, f"key:{key_id}:{context}")

    def text(self) -> str:
        """Returns the text that `parse_keys` reads, with the active key last."""
        ordered = [key_id for key_id in self.keys if key_id != self.active] + [self.active]
        return "\n".join(f"{key_id}:{base64.b64encode(self.keys[key_id]).decode()}" for key_id in ordered)

    def with_new(self) -> MasterKeys:
        """Returns these keys and a new active one."""
        key_id = "k" + secrets.token_hex(4)
        return MasterKeys({**self.keys, key_id: secrets.token_bytes(KEY_BYTES)}, key_id)

    def with_added(self) -> MasterKeys:
        """Returns these keys and a new inactive one: every host must hold a key before any wraps with it."""
        added = self.with_new()
        return MasterKeys(added.keys, self.active)

    def with_active(self, key_id: str) -> MasterKeys:
        """Returns these keys with another one active; raises VaultError when there is no such key."""
        if key_id not in self.keys:
            raise VaultError(f"There is no master key {key_id}; see: receipt-engine keys list")
        return MasterKeys(self.keys, key_id)

    def only_active(self) -> MasterKeys:
        """Returns only the active key, for when nothing is wrapped with the others any more."""
        return MasterKeys({self.active: self.keys[self.active]}, self.active)

    def __repr__(self) -> str:
        return f"MasterKeys({', '.join(self.keys)}; active {self.active})"


def parse_keys(text: str, origin: str) -> MasterKeys:
    """Parses `id:base64` entries separated by commas or line breaks; the last one is active.

    origin: names the source in error messages. Raises VaultError.
    """
    keys: dict[str, bytes] = {}
    for entry in re.split(r"[,\n]", text):
        if not entry.strip() or entry.strip().startswith("#"):
            continue
        key_id, _, encoded = entry.strip().partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            key = b""
        if not _KEY_ID.fullmatch(key_id) or len(key) != KEY_BYTES:
            raise VaultError(
                f"{origin} has an entry that is not id:base64 of 32 bytes (entry {len(keys) + 1})."
            )
        keys[key_id] = key
    if not keys:
        raise VaultError(f"{origin} contains no master key.")
    return MasterKeys(keys, key_id)


def key_file(settings: Settings) -> Path:
    """Returns the file of the master keys, used when the setting `master_keys` is empty."""
    if settings.master_key_file:
        return Path(settings.master_key_file)
    credential = Path(os.environ.get("CREDENTIALS_DIRECTORY", "/nonexistent")) / "master-keys"
    return credential if credential.is_file() else settings.data / "master.keys"


def load_master_keys(settings: Settings, *, create: bool = False) -> MasterKeys:
    """Loads the master keys from setting, credential or file. create: create a missing file (mode 0600)."""
    if settings.master_keys:
        return parse_keys(settings.master_keys, "The setting master_keys")
    path = key_file(settings)
    if create and not path.exists():
        _create_file(path, MasterKeys({}, "").with_new())
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError as error:
        raise VaultError(
            f"The master key file {path} is missing. Put it back, or set master_key_file to the one in use."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise VaultError(f"The master key file {path} cannot be read: {error}") from error
    if path.stat().st_mode & 0o077 and "CREDENTIALS_DIRECTORY" not in os.environ:
        raise VaultError(f"{path} can be read by others; run: chmod 600 {path}")
    return parse_keys(text, str(path))


def save_master_keys(path: Path, keys: MasterKeys) -> None:
    """Replaces the key file atomically and durably."""
    temporary = path.with_name(path.name + ".new")
    temporary.unlink(missing_ok=True)
    _write(temporary, keys)
    temporary.replace(path)
    sync_folder(path.parent)


def _create_file(path: Path, keys: MasterKeys) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    _write(temporary, keys)
    try:
        os.link(temporary, path)  # fails when another process was first; then its keys are used
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def _write(path: Path, keys: MasterKeys) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(keys.text() + "\n")
        file.flush()
        os.fsync(file.fileno())
