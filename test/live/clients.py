"""Clients of a running network's page, good and bad ones.
    clients.py URL PID
The server refuses what it should, and serves on whatever a thousand others do."""
import json, os, random, re, socket, sys, time
from urllib.parse import urlsplit

url, pid = sys.argv[1:]
parts = urlsplit(url)
host, port, query = parts.hostname, parts.port, parts.query


def fail(what):
    print("FAIL:", what)
    sys.exit(1)


def connect():
    return socket.create_connection((host, port))


def ask(text):
    """The whole answer to bytes that end a request."""
    with connect() as s:
        answer = b""
        try:
            s.sendall(text)
            while piece := s.recv(65536):
                answer += piece
        except ConnectionError:
            pass  # refused before all was read
        return answer


def request(path="/", method="GET", name=None, more="", body=b""):
    head = f"{method} {path} HTTP/1.1\r\nHost: {name or f'{host}:{port}'}\r\nConnection: close\r\n{more}"
    if body or method == "POST":
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def status(answer):
    found = re.match(rb"HTTP/1.1 (\d+)", answer)
    return int(found.group(1)) if found else 0


def expect(wanted, what, *arguments, **named):
    found = status(ask(request(*arguments, **named)))
    if found != wanted:
        fail(f"{what}: {found} instead of {wanted}")


def refusals():
    good = "?" + query
    expect(200, "the page", "/" + good)
    expect(200, "under its other name", "/" + good, name="localhost:" + str(port))
    expect(403, "without a token", "/")
    expect(403, "with another token", "/?token=" + "0" * 32)
    expect(403, "with half a token", "/" + good[:-1])
    expect(403, "with an empty token", "/?token=")
    expect(403, "the events without a token", "/events")
    expect(403, "a path that is not there, without a token", "/nothing")
    expect(404, "a path that is not there", "/nothing" + good)
    expect(404, "a path of the system", "/../../etc/passwd" + good)
    expect(405, "POST to the page", "/" + good, method="POST", body=b"x")
    expect(405, "DELETE", "/" + good, method="DELETE")
    expect(405, "OPTIONS, as before a request of another origin", "/parameter" + good, method="OPTIONS")
    expect(405, "GET of a parameter", "/parameter" + good)
    expect(400, "a parameter without a name", "/parameter" + good, method="POST")
    expect(400, "a parameter that is not live", "/parameter" + good + "&process=Sink&parameter=x", method="POST", body=b"1")
    expect(400, "a value that is no integer", "/parameter" + good + "&process=Scale&parameter=factor", method="POST", body=b"many")
    expect(400, "two lines", "/parameter" + good + "&process=Scale&parameter=factor", method="POST", body=b"1\n2")
    expect(403, "a value without a token", "/parameter?process=Scale&parameter=factor", method="POST", body=b"9")
    expect(400, "a long value", "/parameter" + good + "&process=Scale&parameter=factor", method="POST", body=b"1" * 100000)
    expect(400, "a value with a zero byte", "/parameter" + good + "&process=Scale&parameter=factor", method="POST", body=b"1\0002")
    for name in ("evil.example", "evil.example:" + str(port), "127.0.0.1.evil.example", "10.0.0.1", "[::1", "", "a" * 300, "@" + host):
        found = status(ask(request("/" + good, name=name or " ")))
        if found not in (400, 403):
            fail(f"host '{name}': {found}")
    for origin in ("http://evil.example", "null", "https://" + host, f"http://{host}:1", "http://"):
        expect(403, "origin " + origin, "/events" + good, more=f"Origin: {origin}\r\n")
    expect(200, "its own origin", "/" + good, more=f"Origin: http://{host}:{port}\r\n")
    page = ask(request("/" + good))
    head = page.split(b"\r\n\r\n")[0].lower()
    for wanted in (b"content-security-policy: default-src 'none'", b"frame-ancestors 'none'", b"referrer-policy", b"no-store", b"nosniff"):
        if wanted not in head:
            fail(f"a header without {wanted}")
    if b"access-control" in head:
        fail("another origin is let in")


def garbage():
    for text in (b"\r\n\r\n", b"GET\r\n\r\n", b"\0" * 5000, b"GET / HTTP/9.9\r\n\r\n", b"A" * 100000 + b"\r\n\r\n",
                 b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
                 b"POST /parameter?" + query.encode() + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                 b"POST /parameter?" + query.encode() + b" HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                 bytes(random.Random(1).randrange(256) for _ in range(50000))):
        if status(ask(text)) == 200:
            fail(f"{text[:40]} is served")


class Events:
    def __init__(self):
        self.socket = connect()
        self.socket.sendall(f"GET /events?{query} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        while line := self.file.readline():
            if line == b"\r\n":
                return
        fail("no events")

    def next(self):
        while line := self.file.readline():
            if line.startswith(b"data: "):
                return json.loads(line[6:])
        fail("the events end")


def numbers():
    page = ask(request("/?" + query)).decode()
    picture = json.loads(re.search(r'id="picture">(.*?)</script>', page, re.S).group(1))
    names = picture["live"]
    events, before = Events(), None
    for _ in range(5):
        now = events.next()
        if [len(p) for p in now["processes"]] != [len(names["process"])] * len(picture["processes"]):
            fail("counters of processes")
        if [len(c) for c in now["channels"]] != [len(names["channel"])] * len(picture["channels"]):
            fail("counters of channels")
        if [len(c) for c in now["latencies"]] != [len(names["latency"])]:
            fail("counters of latencies")
        if before and now["ns"] <= before["ns"]:
            fail("the time does not go on")
        if before and any(a[0] < b[0] for a, b in zip(now["processes"], before["processes"])):
            fail("firings are taken back")
        if before and any(a[i] < b[i] for i in (0, 2, 3, 4) for a, b in zip(now["latencies"], before["latencies"])):
            fail("iterations are taken back")
        first, before = before or now, now
    if before["processes"][0][0] <= 0 or not any(p[2] for p in before["processes"]):
        fail("nobody fires, or is busy")
    if picture["latencies"] != [{"from": 0, "to": 2, "allowed_ns": 60000000000, "percentile": 99.9}]:
        fail("what is promised")
    took = dict(zip(names["latency"], before["latencies"][0]))
    if not took["iterations"] or not 0 < took["percentile_ns"] <= took["max_ns"] or took["misses"]:
        fail(f"how long iterations took: {took}")
    return events


def memory():
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1))


def thousand(good):
    chance, sockets = random.Random(2), []
    texts = [b"", b"GET / HT", b"GET /events?" + query.encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
             b"GET /?" + query.encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
             b"POST /parameter?" + query.encode() + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx", b"\xff" * 3000]
    for i in range(1000):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex((host, port))
        sockets.append((s, texts[i % len(texts)]))
    for s, text in sockets:  # those that are in; others wait at the door
        try:
            s.send(text)
        except OSError:
            pass
    for _ in range(20):  # slowly, a byte at a time; some break off
        good.next()
        for s, _ in chance.sample(sockets, 100):
            try:
                s.send(b"X")
            except OSError:
                pass
        for s, _ in chance.sample(sockets, 10):
            s.close()
    expect(200, "among a thousand others", "/?" + query)
    for s, _ in sockets:
        s.close()
    good.next()
    expect(200, "after a thousand others", "/?" + query)


before = memory()
refusals()
garbage()
good = numbers()
thousand(good)
garbage()
good.next()
if memory() > before + 64 * 1024:
    fail(f"{memory() - before} KB more are in use")
print("clients: passed")
