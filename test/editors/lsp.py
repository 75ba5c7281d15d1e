"""dal lsp, as an editor talks to it: messages while one types, answers, and what is no message. lsp.py DAL FOLDER."""

import contextlib
import os
import pathlib
import random
import signal
import statistics
import sys
import time

from client import Client

dal, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
hello, square, mapping = folder / "hello.xml", folder / "square.c", folder / "map-cores.xml"
ERROR, INFORMATION = 1, 3
RING = '<channel from="Consumer.more" to="Producer.more" tokensize="4" tokenratein="1" tokenrateout="2"/>\n</processnetwork>'


def begin():
    client = Client([dal, "lsp"])
    assert client.ask("initialize", {"capabilities": {}, "processId": None, "rootUri": None})["serverInfo"]["name"] == "dal"
    client.notify("initialized", {})
    return client


def labels(answer):
    return [item["label"] for item in answer["items"]]


def refused(code, client, *request):
    try:
        client.ask(*request)
    except LookupError as error:
        assert error.args[0] == code, error
        return
    raise AssertionError(f"{request} is not refused")


def messages(client):
    uri, text = hello.as_uri(), hello.read_text()
    client.open(uri, text)
    client.change(uri, text.replace("Square.in", "Sqare.in"))
    (message,) = client.until(uri, bool)
    assert message["code"] == "unknown-process" and message["severity"] == ERROR and "did you mean 'Square'" in message["message"]
    line = text[: text.index("Square.in")].count("\n")
    assert message["range"]["start"] == {"line": line, "character": 2}, message
    assert hello.read_text() == text
    client.change(uri, text)
    client.until(uri, lambda list: not list)
    other = text.replace("<process name", "<!-- \U0001f600 --> <process nam", 1)  # two units of UTF-16
    client.change(uri, other)
    (message,) = client.until(uri, lambda list: list and "nam" in list[0]["message"])
    end = message["range"]["end"]
    assert end["character"] == len(other.splitlines()[end["line"]]) + 1, message
    client.change(uri, text[: len(text) // 2])
    assert client.until(uri, lambda list: list and list[0]["code"] == "xml-syntax")
    client.change(uri, text.replace("</processnetwork>", RING))
    (message,) = client.until(uri, lambda list: list and list[0]["code"] == "deadlock")
    assert "\nhello.xml:" in message["message"] and "waits for" in message["message"], message  # its notes
    client.change(uri, text)
    client.until(uri, lambda list: not list)


def of_others(client):
    """Of files of XML that are not ours nothing is said, whatever is said of others."""
    uri, text = hello.as_uri(), hello.read_text()
    others = {"pom.xml": "<project/>", "graph.xml": '<sdf3 type="sdf"/>', "catalog.xml": "<c:catalog xmlns:c='urn:c'/>"}
    for name, other in others.items():
        client.open((folder / name).as_uri(), other)
    client.open((folder / "empty.xml").as_uri(), "")
    (message,) = client.until((folder / "empty.xml").as_uri(), bool)
    client.change(uri, text.replace("Square.in", "Sqare.in"))
    client.until(uri, bool)
    client.change(uri, text)
    client.until(uri, lambda list: not list)
    assert not any(client.published.get((folder / name).as_uri()) for name in others), client.published
    for name in (*others, "empty.xml"):
        client.notify("textDocument/didClose", {"textDocument": {"uri": (folder / name).as_uri()}})


def of_parts(client):
    """A message within a part is at the part's file, with the way to it, and goes when the network is closed."""
    outer, inner = folder / "outer.xml", folder / "inner.xml"
    client.open(outer.as_uri(), outer.read_text())
    list = client.until(inner.as_uri(), bool)
    assert any(", in Eq of" in message["message"] for message in list), list
    client.notify("textDocument/didClose", {"textDocument": {"uri": outer.as_uri()}})
    client.until(inner.as_uri(), lambda list: not list)


def of_mappings(client):
    uri, text = mapping.as_uri(), mapping.read_text()
    client.open(uri, text)
    client.change(uri, text.replace("core_*", "car_*"))
    (message,) = client.until(uri, bool)
    assert message["severity"] == ERROR and "car_" in message["message"], message
    client.change(uri, text.replace('processnetwork="hello"', 'processnetwork="other"'))
    (message,) = client.until(uri, lambda list: list and list[0]["severity"] == INFORMATION)
    assert "other" in message["message"]
    client.change(uri, text)
    client.until(uri, lambda list: not list)
    named = text.replace('<process name="*"', '<process name="Square"')
    client.change(uri, named)
    assert "Square" in labels(client.at("completion", uri, named, '"Square"', 1))
    assert "core_0" in labels(client.at("completion", uri, named, '"core_*"', 6))
    assert client.at("definition", uri, named, '"Square"', 3)["uri"] == hello.as_uri()
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.until(uri, lambda list: not list)


def of_two_networks(client):
    """A mapping is about the network that it names, with its parts; a source about the network that has it."""
    two = folder / "two"
    for name in ("aa.xml", "bb.xml", "inner.xml", "map.xml", "mine.c"):
        client.open((two / name).as_uri(), (two / name).read_text(), "c" if name == "mine.c" else "xml")
    uri, text, source = (two / "map.xml").as_uri(), (two / "map.xml").read_text(), (two / "mine.c").read_text()
    assert labels(client.at("completion", uri, text, 'process name=""', 14)) == ["Mine", "L.Deep"]
    assert client.at("definition", uri, text, '"Mine"', 2)["uri"] == (two / "bb.xml").as_uri()
    assert client.at("definition", (two / "mine.c").as_uri(), source, "PORT_out", 6)["uri"] == (two / "bb.xml").as_uri()
    for name in ("aa.xml", "bb.xml", "inner.xml", "map.xml", "mine.c"):
        client.notify("textDocument/didClose", {"textDocument": {"uri": (two / name).as_uri()}})


def answers(client):
    uri, text = hello.as_uri(), hello.read_text()
    where = lambda what, behind: client.at("definition", uri, text, what, behind)
    assert where('to="Square.in', 6)["range"]["start"]["line"] == text[: text.index('name="Square"')].count("\n")
    port = where('to="Square.in', 12)
    assert port["uri"] == square.as_uri()
    assert square.read_text().splitlines()[port["range"]["start"]["line"]][port["range"]["start"]["character"] :].startswith("in")
    assert where('"Producer"', 2)["uri"] == (folder / "producer.c").as_uri()
    assert where("square.cl square.c", 3)["uri"] == (folder / "square.cl").as_uri()
    assert where("square.cl square.c", 12)["uri"] == square.as_uri()
    assert where("<processnetwork", 3) is None
    long = (folder / "long.xml").read_text()  # where a port stands below its process
    client.open((folder / "long.xml").as_uri(), long)
    assert client.at("definition", (folder / "long.xml").as_uri(), long, 'name="in"', 7) == port
    client.notify("textDocument/didClose", {"textDocument": {"uri": (folder / "long.xml").as_uri()}})
    assert labels(client.at("completion", uri, text, 'to="Square.in', 11)) == ["in"]
    assert labels(client.at("completion", uri, text, 'from="Square.out', 13)) == ["out"]
    assert set(labels(client.at("completion", uri, text, 'to="Square.in', 4))) == {"Producer", "Square", "Consumer"}
    assert "parameter" in labels(client.at("completion", uri, text, "<parameter", 1))
    assert "channel" in labels(client.at("completion", uri, text, "<channel", 3))
    attributes = labels(client.at("completion", uri, text, "dataparallelism", 0))
    assert "stateless" in attributes and "source" not in attributes
    assert labels(client.at("completion", uri, text, 'type="local"', 7)) == ["local"]
    told = client.at("hover", uri, text, 'name="Square"', 8)["contents"]["value"]
    assert "firings*: 2" in told and "square.c" in told, told
    told = client.at("hover", uri, text, 'name="numbers"', 8)["contents"]["value"]
    assert "rates: 2 -> 1" in told and "capacity: " in told, told
    # A source that is not saved is what is checked, and leads back to the network.
    kept = square.read_text().replace("long add = 0;", "static long add; add++;")
    client.open(square.as_uri(), kept, "c")
    for _ in range(1000):
        told = client.at("hover", uri, text, 'name="Square"', 8)["contents"]["value"]
        if "add" in told:
            break
        time.sleep(0.05)
    assert "'add'" in told or "add" in told, told
    back = client.at("definition", square.as_uri(), kept, "PORT_out", 6)
    assert back["uri"] == uri and text.splitlines()[back["range"]["start"]["line"]].find("Square.out") > 0, back
    client.notify("textDocument/didClose", {"textDocument": {"uri": square.as_uri()}})
    picture = client.ask("workspace/executeCommand", {"command": "dal.picture", "arguments": [uri]})
    assert picture["uri"] == (folder / "hello.html").as_uri() and "<html" in (folder / "hello.html").read_text()
    # One that cannot run is drawn all the same; of one that cannot be read there is no picture, and none of before.
    (folder / "ring.xml").write_text(text.replace("</processnetwork>", RING))
    ring, drawn = (folder / "ring.xml").as_uri(), folder / "ring.html"
    client.ask("workspace/executeCommand", {"command": "dal.picture", "arguments": [ring]})
    before = drawn.read_text()
    (folder / "ring.xml").write_text(text[: len(text) // 2])
    refused(-32803, client, "workspace/executeCommand", {"command": "dal.picture", "arguments": [ring]})
    assert drawn.read_text() == before
    for path in (folder / "ring.xml", drawn):
        path.unlink()
    refused(-32602, client, "workspace/executeCommand", {"command": "dal.other", "arguments": [uri]})
    refused(-32803, client, "workspace/executeCommand", {"command": "dal.picture", "arguments": [uri, "/nowhere/x.svg"]})


def keys(client):
    """How long a key takes until its messages are there, on a network of seven processes."""
    path = folder / "mjpeg" / "mjpeg.xml"
    uri, text, times = path.as_uri(), path.read_text(), []
    client.open(uri, text)
    for i in range(10):
        wrong = i % 2 == 0
        client.published.pop(uri, None)
        started = time.monotonic()
        client.change(uri, text.replace('to="Sobel.', 'to="Sobl.') if wrong else text)
        client.until(uri, lambda list: bool(list) == wrong)
        times.append(time.monotonic() - started)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    print(f"a key: {1000 * statistics.median(times[::2]):.0f} ms with an error, {1000 * statistics.median(times[1::2]):.0f} ms without")


def hostile(client):
    """Whatever comes behind right headers, the server goes on."""
    uri, text = hello.as_uri(), hello.read_text()
    for body in (b"", b"{", b"[]", b"null", b'"x"', b'{"id":1', b"{" * 5000, b'{"method":"\\ud800x","id":"a"}', b'{"id":1,"id":2}', b"\xff\xfe", b'{"a":"\\u0000"}'):
        client.send_raw(b"Content-Length: %d\r\nContent-Type: x; charset=utf-8\r\n\r\n%s" % (len(body), body))
    refused(-32601, client, "textDocument/nothing", {})
    refused(-32602, client, "textDocument/hover", {"textDocument": {"uri": "file:///closed.xml"}, "position": {"line": 0, "character": 0}})
    refused(-32602, client, "textDocument/hover", {"textDocument": 7})
    refused(-32602, client, "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": -1, "character": 0}})
    refused(-32600, client, "initialize", {})
    client.notify("$/cancelRequest", {"id": 5})
    client.open("untitled:one", "<processnetwork name='x'>")
    client.at("completion", "untitled:one", "<processnetwork name='x'>", "name")
    client.open("file:///nowhere/%zz.xml", text)
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never.xml"}})
    at = {"textDocument": {"uri": uri}, "position": {"line": 2147483647, "character": 2147483647}}
    for method in ("completion", "definition", "hover"):
        client.ask(f"textDocument/{method}", at)
    chance = random.Random(1)
    for _ in range(60):  # half a text, and letters that do not belong there
        part = text[: chance.randrange(len(text))]
        cut = chance.randrange(len(part) + 1)
        part = part[:cut] + chance.choice(["<", '"', ">", "'", "&", "\U0001f600", "</", "<!--", "="]) + part[cut:]
        client.change(uri, part)
        for method in ("completion", "definition", "hover"):
            place = {"line": part.count("\n", 0, cut), "character": chance.randrange(100)}
            client.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})
    # A check that is killed is told, and the next one works.
    children = f"/proc/{client.process.pid}/task/{client.process.pid}/children"
    while not client.logged:
        before = set(open(children).read().split())  # which the server itself ends
        client.change(uri, text)
        until = time.monotonic() + 2  # the check may have begun and ended between two looks
        while not (found := set(open(children).read().split()) - before) and time.monotonic() < until:
            pass
        for child in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        client.ask("textDocument/hover", at)
    assert "signal 9" in client.logged[0], client.logged
    client.change(uri, text.replace("Square.in", "Sqare.in"))
    client.published.pop(uri, None)
    client.until(uri, lambda list: list and list[0].get("code") == "unknown-process")


def ends():
    client = begin()
    assert client.ask("shutdown") is None
    refused(-32600, client, "textDocument/hover", {})
    client.notify("exit")
    assert client.end() == 0
    client = begin()
    client.notify("exit")
    assert client.end() == 1
    client = begin()
    assert client.end() == 1
    client = begin()
    client.ask("shutdown")
    assert client.end() == 0
    client = Client([dal, "lsp"])
    refused(-32002, client, "textDocument/hover", {})
    assert client.end() == 1
    for head in (b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: 67108865\r\n\r\n", b"Content-Length: -1\r\n\r\n{}", b"nothing\r\n\r\n",
                 b"Content-Type: x\r\n\r\n{}", b"x" * 5000, b"Content-Length: 1\r\nContent-Length: 1\r\n\r\n1", b"Content-Length: \r\n\r\n"):
        client = Client([dal, "lsp"])
        client.send_raw(head)
        assert client.receive()["error"]["code"] == -32700, head
        assert client.receive() is None and client.end() == 1, head
    client = begin()
    client.send_raw(b"Content-Length: 100\r\n\r\n{")  # and then nothing more
    assert client.end() == 1


client = begin()
messages(client)
of_others(client)
of_parts(client)
of_mappings(client)
of_two_networks(client)
answers(client)
keys(client)
hostile(client)
client.ask("shutdown")
client.notify("exit")
assert client.end() == 0
ends()
