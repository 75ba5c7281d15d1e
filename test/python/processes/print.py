def fire(p):
    print(*p["in"][0])
