"""What somebody with bad intentions may do to a running program's page.
    hostile.py drip|files|end URL PID"""
import os, signal, socket, sys, threading, time
from urllib.parse import urlsplit

what, url, pid = sys.argv[1], urlsplit(sys.argv[2]), int(sys.argv[3])
PATIENCE_S = 60  # of this test alone: no answer for so long is none


def connect(buffer=0):
    s = socket.socket()
    s.settimeout(PATIENCE_S)
    if buffer:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    s.connect((url.hostname, url.port))
    return s


def ask(s, path):
    s.sendall(f"GET {path}?{url.query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return s


def is_served():
    with ask(connect(), "/") as s:
        if not s.recv(100).startswith(b"HTTP/1.1 200 "):
            sys.exit("the page is not served")


def drip():
    """All places are taken by clients that send a byte now and then, and never a request."""
    clients, over = [connect() for _ in range(12)], threading.Event()

    def send():
        while not over.wait(0.2):
            for s in clients:
                try:
                    s.send(b"a")
                except OSError:
                    pass

    for s in clients:
        s.send(b"GET /?")
    thread = threading.Thread(target=send)
    thread.start()
    try:
        is_served()
    finally:
        over.set()
        thread.join()


def files():
    """More clients than the program may open files: it keeps most for itself, and serves when they are gone."""
    clients = [connect() for _ in range(100)]
    time.sleep(0.5)
    count = len(os.listdir(f"/proc/{pid}/fd"))
    if count > 40:
        sys.exit(f"{count} of 64 files are open")
    for s in clients:
        s.close()
    is_served()


def rest(s):
    """What was sent until the end, or nothing to one that was not let in."""
    answer = b""
    try:
        while piece := s.recv(65536):
            answer += piece
    except OSError:
        pass
    return answer


def end():
    """One client takes nothing, so the end waits for it, and others come in this moment. These get the last numbers."""
    slow = ask(connect(2048), "/events")
    time.sleep(5)  # until nothing more goes into the buffers
    late = []
    os.kill(pid, signal.SIGINT)
    try:
        while True:
            late.append(ask(connect(), "/events"))
            time.sleep(0.005)
    except OSError:
        pass  # it has ended
    for s in late:
        answer = rest(s)
        if answer.endswith(b"\r\n0\r\n\r\n") and b"event: end" not in answer:  # whole, and without them
            sys.exit("one who comes late does not get the last numbers")
    slow.close()


{"drip": drip, "files": files, "end": end}[what]()
