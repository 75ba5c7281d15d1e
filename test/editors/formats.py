"""The forms of messages: JSON and SARIF say what the text says, and SARIF has what version 2.1.0 requires.

formats.py TEXT JSON SARIF, each what dalsynth has printed in that form.
"""

import json
import sys
import urllib.parse

# Required members, and those that have a list of values, of the objects that are written.
REQUIRED = {
    "log": ("version", "runs"),
    "run": ("tool", "results"),
    "tool": ("driver",),
    "driver": ("name",),
    "rule": ("id",),
    "invocation": ("executionSuccessful",),
    "result": ("message", "level"),
    "message": ("text",),
}


def need(kind, value):
    missing = [name for name in REQUIRED[kind] if name not in value]
    assert not missing, f"{kind} lacks {missing}"
    return value


def place_of(location):
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert all(c.isalnum() or c in "-._~/:%" for c in uri), uri
    region = physical.get("region", {})
    if region:
        assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1
    return urllib.parse.unquote(uri).removeprefix("file://"), region.get("startLine"), region.get("startColumn")


def line(place, level, code, message):
    file, number, column = place
    where = "".join(f"{part}:" for part in (file, number, column) if part)
    return f"{where}{' ' if where else ''}{level}: {f'[{code}] ' if code else ''}{message}"


def lines_of_json(report):
    assert report["version"] == 1 and report["complete"] is True and report["left_out"] == 0
    for message in report["messages"]:
        for part in [message] + message.get("notes", []):
            place = part.get("file"), part.get("line"), part.get("column")
            way = f", {part['way']}" if "way" in part else ""
            yield line(place, part["level"], part.get("code"), part["message"] + way)


def lines_of_sarif(log):
    assert need("log", log)["version"] == "2.1.0" and len(log["runs"]) == 1
    run = need("run", log["runs"][0])
    rules = {need("rule", rule)["id"] for rule in need("driver", need("tool", run["tool"])["driver"])["rules"]}
    for invocation in run["invocations"]:
        assert need("invocation", invocation)["executionSuccessful"] is True
    for result in run["results"]:
        assert result.get("ruleId") is None or result["ruleId"] in rules, result
        assert need("result", result)["level"] in ("none", "note", "warning", "error")
        places = [place_of(location) for location in result.get("locations", [])]
        yield line(places[0] if places else (None,) * 3, result["level"], result.get("ruleId"), need("message", result["message"])["text"])
        for note in result.get("relatedLocations", []):
            place = place_of(note) if "physicalLocation" in note else (None,) * 3
            yield line(place, "note", None, need("message", note["message"])["text"])


def main(text, as_json, as_sarif):
    with open(text, encoding="utf-8", errors="replace") as file:
        wanted = file.read().splitlines()
    with open(as_json, encoding="utf-8") as file:
        assert list(lines_of_json(json.load(file))) == wanted, "JSON"
    with open(as_sarif, encoding="utf-8") as file:
        assert list(lines_of_sarif(json.load(file))) == wanted, "SARIF"


main(*sys.argv[1:])
