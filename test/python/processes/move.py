seen = 0  # of this process alone


def fire(p):
    global seen
    seen += len(p["in"])
    if (p["in"] < 0).any():
        raise ValueError(f"process {p.index[0]} has seen {seen} tokens")
    p.out = p["in"] + p.parameters["by"]
