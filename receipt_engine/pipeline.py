"""The pipeline: runs every stage once, in order, with typed values in and out.

`read_page` extracts text and barcodes from the image and takes nearly all the time. `interpret` turns them
into a Result: it is pure, takes milliseconds, and benchmarks repeat it alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from receipt_engine.custom_fields import find_custom_fields
from receipt_engine.document import Details, Page, ParsedLine, Reading, Sheet
from receipt_engine.errors import NoTextError
from receipt_engine.merchants import MerchantTable
from receipt_engine.options import ExtractOptions
from receipt_engine.region import Region
from receipt_engine.result import Result
from receipt_engine.runtime.memory import release
from receipt_engine.runtime.protocols import Models, remembering
from receipt_engine.stages.address_parts import find_address_parts
from receipt_engine.stages.assemble import assemble
from receipt_engine.stages.barcodes import read_barcodes
from receipt_engine.stages.columns import find_columns
from receipt_engine.stages.contacts import choose_contacts, find_entities
from receipt_engine.stages.dating import choose_date, laws_in_force
from receipt_engine.stages.document_type import find_document_type
from receipt_engine.stages.expense import find_expense_type
from receipt_engine.stages.fiscal_codes import read_codes
from receipt_engine.stages.group import group
from receipt_engine.stages.items import complete_items, find_items
from receipt_engine.stages.label import label
from receipt_engine.stages.legibility import judge, limit_if_illegible, quality_evidence
from receipt_engine.stages.localize import choose_rules, find_currency, localize
from receipt_engine.stages.merchant import find_merchant
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.stages.payment import find_payment
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.preprocess.quality import measure_quality
from receipt_engine.stages.preprocess.source import Source
from receipt_engine.stages.recognize import make_upright, read_text
from receipt_engine.stages.reconcile import reconcile
from receipt_engine.stages.totals import find_totals, make_sheet
from receipt_engine.stages.zones import find_zones
from receipt_engine.trace import Trace


def read(source: Source, models: Models, trace: Trace) -> Reading:
    """The reading of a file's first page; raises ImageError when nothing can be read."""
    return read_page(trace.run("preprocess", decode, source, check=trace.check), models, trace)[1]


def read_page(page: Page, models: Models, trace: Trace) -> tuple[Page, Reading]:
    """The page turned upright, and its reading; raises NoTextError when it has no text."""
    recognizer = remembering(models.recognizer)
    boxes = tuple(trace.run("detect", models.detector.detect, page))
    release()  # otherwise the detector's freed buffers would add to the recogniser's memory
    page, boxes = trace.run("orient", make_upright, page, boxes, recognizer)
    if page.rotation in (90, 270):  # the detector was trained on level rows
        boxes = tuple(trace.run("detect turned", models.detector.detect, page))
    quality = trace.run("quality", measure_quality, page.image)
    spans = trace.run("recognize", read_text, page, boxes, recognizer)
    barcodes = trace.run("barcodes", read_barcodes, page)
    if not any(span.text.strip() for span in spans):
        raise NoTextError(
            "No text was found in the picture. Photograph the receipt from closer up and in focus."
        )
    heights = [box.quad.height for box in boxes]
    reading = Reading(
        width=page.width,
        height=page.height,
        source_size=page.source_size,
        rotation=page.rotation,
        quality=replace(quality, text_height=float(np.median(heights))),
        spans=spans,
        barcodes=barcodes,
    )
    return page, reading


def interpret(
    reading: Reading, options: ExtractOptions, merchants: MerchantTable | None, trace: Trace
) -> Result:
    """The Result of a reading, by the rules of the region it comes from."""
    hints = AmountHints(options.decimal_places, options.cents)
    order = options.default_date_parsing
    legibility = trace.run("legibility", judge, reading)
    lines = trace.run("group", group, reading.spans)
    codes = trace.run("fiscal_codes", read_codes, reading.barcodes)
    regions = trace.run("localize", localize, lines, options.region, codes, legibility.script)
    region = choose_rules(lines, regions[0].code)
    rows = trace.run("parse", parse, lines, region, hints, order)
    sheet = sort_rows(rows, region, trace)
    ledger = trace.run("reconcile", reconcile, sheet, laws_in_force(rows, region), codes)
    date = trace.run("dating", choose_date, rows, sheet, region, order, regions, codes)
    currency = trace.run(
        "currency",
        find_currency,
        rows,
        sheet,
        regions,
        options.region,
        codes,
        legibility.script,
        date,
        ledger.total,
    )
    entities = trace.run("entities", find_entities, rows, sheet, region)
    merchant = trace.run("merchant", find_merchant, rows, sheet, region, entities, merchants)
    details = Details(
        merchant=merchant,
        address_parts=trace.run("address_parts", find_address_parts, merchant.address, region),
        contacts=trace.run("contacts", choose_contacts, rows, sheet, region, entities, merchant, codes),
        payment=trace.run("payment", find_payment, rows, sheet, merchant.name.lines if merchant.name else ()),
        document_type=trace.run("document_type", find_document_type, rows, sheet, region, merchant.customer),
        expense_type=trace.run("expense", find_expense_type, rows, sheet.zones, merchant, region),
    )
    result = trace.run(
        "assemble",
        assemble,
        rows,
        sheet,
        ledger,
        details,
        date,
        currency,
        regions,
        reading.barcodes,
        options,
    )
    if result.evidence is not UNSET:
        quality = quality_evidence(reading, legibility, result)
        result = replace(result, evidence={**result.evidence, "quality": quality})
    result = limit_if_illegible(result, legibility, region.currency.decimals)
    own = trace.run("custom_fields", find_custom_fields, rows, options.custom_fields)
    return replace(result, custom_fields={**result.custom_fields, **own}) if own else result


def sort_rows(rows: Sequence[ParsedLine], region: Region, trace: Trace) -> Sheet:
    """Classifies the rows (products, totals, tax table) and gives each amount its possible roles."""
    laws = trace.run("laws", laws_in_force, rows, region)
    labelled = trace.run("label", label, rows, region)
    priced = trace.run("columns", find_columns, labelled)
    zones = trace.run("zones", find_zones, priced, laws)
    listed = trace.run("items", find_items, priced, zones, laws)
    totals = trace.run("totals", find_totals, listed, laws)
    products = trace.run("complete_items", complete_items, listed, totals, laws)
    return trace.run("sheet", make_sheet, products, totals)
