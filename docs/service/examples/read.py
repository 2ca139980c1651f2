"""Reads one picture with the client of this package: python read.py receipt.jpg

Needs RECEIPTS_URL and RECEIPTS_KEY; RECEIPTS_CA names a certificate that no public authority has signed.
"""

import os
import ssl
import sys

from receipt_engine.client import ReceiptClient, ServiceError

ca = os.environ.get("RECEIPTS_CA")
trust = ssl.create_default_context(cafile=ca) if ca else True

with ReceiptClient(os.environ["RECEIPTS_URL"], os.environ["RECEIPTS_KEY"], verify=trust) as client:
    try:
        result = client.read(sys.argv[1], region="us")
    except ServiceError as error:
        sys.exit(f"{error.code}: {error}")

print(result.to_json())
