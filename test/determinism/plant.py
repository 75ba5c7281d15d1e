"""Plants a wrong bit in the source of a process of a random network, at one of its firings.
    plant.py SEED FLAT-NETWORK RECORDINGS

The firing is known by the first bytes that the process gives then. Prints the port, the firing and the token."""
import glob, json, random, re, sys
from xml.etree import ElementTree

seed, network, recordings = sys.argv[1:]
random.seed(int(seed))

root = ElementTree.parse(network).getroot()
rates = {channel.get("name"): channel.get("tokenratein", "counted,") for channel in root.iter("sw_channel")}
of_port = {}
for connection in root.iter("connection"):
    origin, target = connection.find("origin"), connection.find("target")
    if target.get("name") in rates:
        of_port[origin.get("name") + "." + origin.find("port").get("name")] = rates[target.get("name")]

every = [json.load(open(file)) for file in sorted(glob.glob(recordings + "/*.json"))]
inputs = {recording["recording"]: [of for of, _, _ in recording["inputs"]] for recording in every}


def is_known(recording):
    """Without rates, who was wrong first is not known in a ring of channels."""
    seen, left = set(), [recording["recording"]]
    while left:
        new = set(inputs.get(left.pop(), ())) - seen
        seen |= new
        left += new
    return recording["rate"] or recording["recording"] not in seen


found = []
for recording in filter(is_known, every):
    port = recording["recording"]
    match = re.fullmatch(r"(?:.*\.)?P(\d+)\.o(\d+)", port)
    if match and "," not in of_port[port]:
        source = f"p{match[1]}.c"
        rate = int(re.search(rf"define TOKEN_o{match[2]}_RATE (\d+)", open(source).read())[1])
        if recording["tokens"] >= rate:
            found.append((port, source, match[2], rate, recording))
if not found:
    sys.exit()
port, source, number, rate, recording = random.choice(found)

bytes = rate * recording["token_bytes"]
data = open(recordings + "/" + recording["file"], "rb").read()[recording["offset"] :]
firing = random.randrange(recording["tokens"] // rate)
begin = data[firing * bytes : firing * bytes + min(bytes, 16)]
while firing and data[(firing - 1) * bytes :][: len(begin)] == begin:
    firing -= 1
firing = next(i for i in range(firing + 1) if data[i * bytes : i * bytes + len(begin)] == begin)
at, bit = random.randrange(bytes), 1 << random.randrange(8)

text = open(source).read()
given = re.search(rf"    give(_shared)?\(number, {number}, o{number}, BYTES\(o{number}\)\);\n", text)
wrong = (
    f"    {{\n        static const unsigned char begin[] = {{{', '.join(map(str, begin))}}};\n"
    f"        unsigned same = 1;\n"
    f"        for (k = 0; k < sizeof(begin); k++)\n            same &= o{number}[k] == begin[k];\n"
    f"        o{number}[{at}] ^= same ? {bit} : 0;\n    }}\n"
)
open(source, "w").write(text[: given.end()] + wrong + text[given.end() :])
print(port, firing, firing * rate + at // recording["token_bytes"])
