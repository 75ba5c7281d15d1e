"""Changes the factor of a running program, on its page and by its socket, and waits until each change is made.
    change.py URL SOCKET MESSAGES"""
import re, socket, sys, time, urllib.request

url, path, messages = sys.argv[1:]


def post(value):
    query = url.replace("/?", "/parameter?") + "&process=Scale&parameter=factor"
    return urllib.request.urlopen(urllib.request.Request(query, data=value.encode(), method="POST")).read().decode()


control = socket.socket(socket.AF_UNIX)
control.connect(path)
answers = control.makefile("r")


def tell(line):
    control.sendall(line.encode() + b"\n")
    return answers.readline()


def made(value):
    while f"factor={value} from firing" not in open(messages).read():
        time.sleep(0.02)


for line in ("", "Scale.factor", "Scale.factor=", "Scale.factor=x", "Scale.factr=1", "Source.count=1", "=", "." * 5000, "Scale.factor=1\r"):
    answer = tell(line)
    if not answer.startswith("error: "):
        sys.exit(f"{line[:40]}: {answer}")
for value in range(4, 14):
    answer = post(str(value)) if value % 2 else tell(f"Scale.factor={value}")
    if "is changed at the end" not in answer:
        sys.exit(answer)
    made(value)
broken = socket.socket(socket.AF_UNIX)
broken.connect(path)
broken.sendall(b"Scale.fac")
broken.close()
if not tell("Scale.factor=-2").startswith("ok: "):
    sys.exit("a broken client")
made(-2)
