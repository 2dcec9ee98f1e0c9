"""`make words`: extract every visible sentence, merge it into each language of locale/, and compile.

The sentences of Python and templates form the domain `django`, those of the browser's modules `djangojs`.
Existing translations are kept; a changed sentence is translated anew, never guessed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from config.i18n.compile_messages import LOCALE, compile_all

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    "django": (("config", "*.py"), ("games", "*.py"), ("lobby", "*.py"), ("templates", "*.*")),
    "djangojs": (("static", "*.js"),),
}
"""The sources of a domain: folders, and file patterns."""
METHODS = {".py": "python", ".html": "python", ".txt": "python", ".js": "javascript"}
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "ngettext_noop": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
COMMENTS = ("Translators:",)
OPTIONS = {"encoding": "utf-8", "parse_template_string": True}
PLURALS = {
    "et": "nplurals=2; plural=(n != 1);",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0"
    " : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
}
"""The target languages, and their plural forms."""

HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""
"""Without dates and names, which would differ at every writing."""


def main() -> None:
    """Extract, merge into each language, and compile."""
    for domain in SOURCES:
        gathered = gather(domain)
        for language in PLURALS:
            merge(gathered, language, domain)
    compile_all()


def gather(domain: str) -> Catalog:
    """Every sentence of a domain, with its source files."""
    catalog = Catalog(project="Parlour", charset="utf-8", fuzzy=False)
    for path in sources(domain):
        for _, message, comments, context in extract(
            METHODS[path.suffix], io.BytesIO(text_of(path)), KEYWORDS, COMMENTS, OPTIONS
        ):
            catalog.add(
                message,
                locations=[(path.relative_to(ROOT).as_posix(), 0)],
                auto_comments=comments,
                context=context,
            )
    return catalog


def sources(domain: str) -> Iterator[Path]:
    """The files of a domain that contain sentences."""
    for folder, pattern in SOURCES[domain]:
        yield from sorted(path for path in (ROOT / folder).rglob(pattern) if path.suffix in METHODS)


def text_of(path: Path) -> bytes:
    """A file in extractable form; a template becomes gettext calls."""
    text = path.read_text(encoding="utf-8")
    if METHODS[path.suffix] == "python" and path.suffix != ".py":
        # templatize replaces other text by X, with its indentation.
        text = "\n".join(line.strip() for line in templatize(text).splitlines())
    return text.encode()


def merge(gathered: Catalog, language: str, domain: str) -> None:
    """Update the catalogue of a language with the extracted sentences."""
    path = catalogue(language, domain)
    kept = path.read_bytes() if path.exists() else b""
    catalog = read_po(io.BytesIO(kept), locale=language) if kept else Catalog(locale=language)
    catalog.update(gathered, no_fuzzy_matching=True)
    written = io.BytesIO()
    write_po(written, catalog, width=0, omit_header=True, include_lineno=False, ignore_obsolete=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        HEADER.format(language=language, plurals=PLURALS[language]).encode() + written.getvalue()
    )


def catalogue(language: str, domain: str) -> Path:
    """The path of the .po file of a language and domain."""
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


if __name__ == "__main__":
    main()
