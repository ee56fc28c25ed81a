#!/usr/bin/env python3
"""Writes the manual page of linden, in man(7)'s format, from the help that the command describes itself.

    linden --experimental-dump-help | Scripts/manual.py DATE > linden.1
"""

import json
import re
import sys


def escaped(text):
    """Text in roff: a backslash, a hyphen that is to be copied, and a line's first dot or quote have other meanings there."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def paragraphs(text):
    """The paragraphs of a discussion. Single line breaks, as in examples, are kept."""
    for paragraph in (text or "").split("\n\n"):
        yield ".PP"
        yield "\n.br\n".join(escaped(line) for line in paragraph.splitlines())


def spelled(name):
    return ("\\-" if name["kind"] == "short" else "\\-\\-") + escaped(name["name"])


def usage(path, command):
    words = []
    for argument in shown(command):
        value = f"\\fI{escaped(argument.get('valueName', 'value'))}\\fR"
        if argument["kind"] == "positional":
            word = value
        else:
            word = f"\\fB{spelled(argument['preferredName'])}\\fR" + (f" {value}" if argument["kind"] == "option" else "")
        if argument.get("isRepeating"):
            word += " ..."
        words.append(f"[{word}]" if argument.get("isOptional") else word)
    if command.get("subcommands"):
        words.append("\\fIcommand\\fR")
    return f"\\fB{escaped(' '.join(path))}\\fR " + " ".join(words)


def shown(command):
    """The arguments without those that every command has."""
    names = {"help", "version"}
    return [argument for argument in command.get("arguments", [])
            if argument.get("shouldDisplay", True) and (argument.get("preferredName") or {}).get("name") not in names]


def options(command):
    for argument in shown(command):
        yield ".TP"
        value = f" \\fI{escaped(argument.get('valueName', 'value'))}\\fR"
        if argument["kind"] == "positional":
            yield value.strip()
        else:
            yield ", ".join(f"\\fB{spelled(name)}\\fR" for name in argument["names"]) + (value if argument["kind"] == "option" else "")
        text = argument.get("abstract") or ""
        if argument.get("allValues"):
            text += f" One of: {', '.join(argument['allValues'])}."
        if argument.get("defaultValue") and "Default:" not in text:
            text += f" Default: {argument['defaultValue']}."
        yield escaped(text) or "\\&"


def commands(command, path):
    for child in command.get("subcommands", []):
        if child.get("shouldDisplay", True) and child["commandName"] != "help":
            below = [*path, child["commandName"]]
            yield below, child
            yield from commands(child, below)


def page(root, date, version):
    yield f'.TH LINDEN 1 "{date}" "linden {version}" "User Commands"'
    yield ".SH NAME"
    yield f"linden \\- {escaped(root['abstract'].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield "\\fBlinden\\fR \\fIcommand\\fR [\\fIoptions\\fR]"
    yield ".SH DESCRIPTION"
    yield from paragraphs(root.get("discussion"))
    yield ".SH COMMANDS"
    for path, command in commands(root, ["linden"]):
        yield f".SS {escaped(' '.join(path[1:]))}"
        yield escaped(command.get("abstract") or "")
        yield ".PP"
        yield usage(path, command)
        yield from paragraphs(command.get("discussion"))
        yield from options(command)
    yield ".SH FILES"
    for path, text in [
            ("/etc/linden/linden.yaml", "The settings of the packaged server, each with its default and the reason for it."),
            ("/var/lib/linden/linden.db", "The database of the packaged server.")]:
        yield f".TP\n.I {escaped(path)}\n{escaped(text)}"
    yield ".SH SEE ALSO\n.BR systemctl (1),\n.BR journalctl (1)"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: linden --experimental-dump-help | manual.py DATE VERSION")
    print("\n".join(line for line in page(json.load(sys.stdin)["command"], sys.argv[1], sys.argv[2]) if line))
