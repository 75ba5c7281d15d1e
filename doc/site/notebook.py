"""notebook.py NOTEBOOK PAGE NEXT: a page of the manual from a notebook and what it has stored; pictures are beside the page.

`test/python/notebook.sh` compares, and makes it anew with REGENERATE=1."""
import json
import sys
from pathlib import Path

notebook, page, following = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
parts, pictures = [], 0


def block(language, lines):
    parts.append(f"```{language}\n{''.join(lines).rstrip()}\n```")


for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
    if cell["cell_type"] == "markdown":
        parts.append("".join(cell["source"]).rstrip())
        continue
    block("python", cell["source"])
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text")})
        if "image/svg+xml" in data:
            pictures += 1
            picture = page.with_name(f"{page.stem}-{pictures}.svg")
            picture.write_text("".join(data["image/svg+xml"]), "utf-8")
            parts.append(f"![What the cell shows]({picture.name})")
        else:
            block("text", data["text/plain"])
parts.append(following)
page.write_text("\n\n".join(parts) + "\n", "utf-8")
