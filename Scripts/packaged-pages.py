#!/usr/bin/env python3
"""Rewrites the links of the pages in a package's folder of documentation to where the package has the files. A link to a file that it does
not have becomes its text.

    Scripts/packaged-pages.py FOLDER
"""

import re
import sys
from pathlib import Path

LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s#]+)(#[^)]*)?\)")
# Folders of the repository whose files the package has in others.
MOVED = {"Config/proxies": "examples", "Config/monitoring": "examples", "Config": "examples"}


def target(folder, page, path):
    """The path that a link of a page has in the package, or None."""
    inside = ((page.parent / path).resolve()).relative_to(folder)
    for repository, package in MOVED.items():
        if inside.is_relative_to(repository):
            inside = package / inside.relative_to(repository)
    if not (folder / inside).exists():
        return None
    return "../" * len(page.relative_to(folder).parent.parts) + str(inside)


def rewritten(folder, page):
    def link(found):
        image, text, path, anchor = found.groups()
        if re.match(r"[a-z]+:", path):
            return found[0]
        place = target(folder, page, path)
        # Pages beside each other keep their short links.
        place = path if place and (page.parent / path).exists() else place
        return f"{image}[{text}]({place}{anchor or ''})" if place else text
    return LINK.sub(link, page.read_text(encoding="utf-8"))


def main(folder):
    for page in sorted(folder.rglob("*.md")):
        page.write_text(rewritten(folder, page), encoding="utf-8")


main(Path(sys.argv[1]).resolve())
