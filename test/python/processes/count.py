def init(p):
    p.next = 0


def fire(p):
    if p.next == 6:
        return True
    for token in p["out"]:
        token[:] = p.phase, p.next
        p.next += 1
