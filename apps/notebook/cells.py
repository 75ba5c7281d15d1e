"""Runs the cells of a notebook one after the other, without Jupyter.

python3 cells.py NOTEBOOK          prints what they print, and compares it with what the notebook has stored
python3 cells.py --store NOTEBOOK  stores it
"""

import ast
import contextlib
import io
import json
import re
import sys


def run(source, names):
    """Runs a cell. Returns what it prints, and the value of its last line if that is an expression."""
    tree, value, printed = ast.parse(source), None, io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), value


def outputs(printed, value, number):
    """Returns what a notebook stores of a cell."""
    found = []
    if printed:
        found.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(True)})
    if value is None:
        return found
    data = {"text/plain": repr(value).splitlines(True)}
    svg = value._repr_svg_() if hasattr(value, "_repr_svg_") else None
    if svg:
        data = {"image/svg+xml": svg.splitlines(True), **data}
    result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
    return [*found, result]


def essence(output):
    """Returns what two runs must agree on: texts, and of pictures the words in them.

    Where Graphviz puts things, and the last bit of a sine, are a machine's own affair.
    """
    data = output.get("data", {"text/plain": output.get("text", [])})
    words = re.findall(r"<text[^>]*>([^<]*)</text>", "".join(data.get("image/svg+xml", [])))
    return "".join(data.get("text/plain", [])), sorted(words)


def main():
    *options, file = sys.argv[1:]
    with open(file, encoding="utf-8") as stream:
        notebook = json.load(stream)
    names, number, differs = {"__name__": "__main__"}, 0, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        made = outputs(*run("".join(cell["source"]), names), number)
        print(f"[{number}]", *(essence(output)[0] for output in made))
        if list(map(essence, made)) != list(map(essence, cell["outputs"])):
            differs = 1
            if "--store" not in options:
                print(f"{file}: cell {number} has stored something else: {list(map(essence, cell['outputs']))}")
        cell.update(execution_count=number, outputs=made)
    if "--store" not in options:
        return differs
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(notebook, stream, indent=1, sort_keys=True, ensure_ascii=False)
        stream.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
