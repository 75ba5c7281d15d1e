"""A client of `dal lsp`, as an editor is one: frames, requests, and what the server publishes."""

import json
import os
import select
import subprocess
import time


class Client:
    WAIT = 60

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.buffer = b""
        self.last = 0
        self.published = {}
        self.logged = []

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, params=None):
        self.send({"method": method, "params": params})

    def receive(self, wait=WAIT):
        """The next message; None at the end of the output."""
        until = time.monotonic() + wait
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))
            assert ready, "nothing comes from the server"
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                return None
            self.buffer += part

    def take(self, message):
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif message.get("method") == "window/logMessage":
            self.logged.append(message["params"]["message"])

    def ask(self, method, params=None):
        """The result of a request; an error is raised as a dictionary."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            message = self.receive()
            assert message is not None, f"the server has ended: {self.process.stderr.read()}"
            if message.get("id") == self.last and "method" not in message:
                if "error" in message:
                    raise LookupError(message["error"]["code"], message["error"]["message"])
                return message["result"]
            self.take(message)

    def until(self, uri, fits):
        """Waits until what is published of a document fits."""
        while not (uri in self.published and fits(self.published[uri])):
            message = self.receive()
            assert message is not None, "the server has ended"
            self.take(message)
        return self.published[uri]

    def open(self, uri, text, language="xml"):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})

    def change(self, uri, text):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})

    def at(self, method, uri, text, what, behind=0):
        """Asks about the place of a piece of the text."""
        offset = text.index(what) + behind
        line = text.count("\n", 0, offset)
        character = len(text[text.rfind("\n", 0, offset) + 1 : offset].encode("utf-16-le")) // 2
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})

    def end(self):
        """Closes the input; returns the exit status."""
        self.process.stdin.close()
        status = self.process.wait(self.WAIT)
        self.process.stdout.close()
        self.process.stderr.close()
        return status
