"""Small pictures for a notebook, as SVG. matplotlib does more; this needs nothing but NumPy."""

import numpy as np

COLOURS = ("#2563eb", "#d97706", "#18794e")
SHADES = 12


class Picture:
    """What a notebook shows as a picture."""

    def __init__(self, svg):
        self.svg = svg

    def __repr__(self):
        return "a picture"

    def _repr_svg_(self):
        return self.svg


def _frame(width, height, x, y, inside):
    """A picture with the names of its axes, each with what is at its end."""
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-40 -10 {width + 60} {height + 40}" '
        f'width="{width + 60}" height="{height + 40}" style="font: 11px sans-serif" fill="#555">\n'
        f'<rect x="-40" y="-10" width="{width + 60}" height="{height + 40}" fill="#fff"/>\n'
        f"{inside}\n"
        f'<path d="M0,0V{height}H{width}" fill="none" stroke="#999"/>\n'
        f'<text x="{width / 2:.0f}" y="{height + 20}" text-anchor="middle">{x}</text>\n'
        f'<text transform="translate(-10,{height / 2:.0f}) rotate(-90)" text-anchor="middle">{y}</text>\n'
        "</svg>\n"
    )


def lines(x="", y="", width=640, height=160, **series):
    """Draws arrays as lines over their index, each in its colour and with its name."""
    most = max(float(np.abs(values).max()) for values in series.values()) or 1.0
    longest = max(len(values) for values in series.values())
    parts = []
    for number, (name, values) in enumerate(series.items()):
        points = (
            f"{i * width / max(1, longest - 1):.0f},{height / 2 * (1 - value / most):.0f}"
            for i, value in enumerate(values)
        )
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<path d="M{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
        parts.append(f'<text x="{width - 90}" y="{12 + 14 * number}" fill="{colour}">{name}</text>')
    return _frame(width, height, x, y, "\n".join(parts))


def heat(rows, x="", y="", width=640, height=192):
    """Draws an array of two dimensions: the first to the right, the second upwards, large is dark."""
    across, up = width / rows.shape[0], height / rows.shape[1]
    shades = np.rint(SHADES * rows / (rows.max() or 1.0)).astype(int)
    parts = []
    for shade in range(1, SHADES + 1):
        cells = "".join(
            f"M{i * across:.0f},{height - (k + 1) * up:.0f}h{across:.0f}v{up:.0f}h{-across:.0f}z"
            for i, k in np.argwhere(shades == shade)
        )
        parts.append(f'<path d="{cells}" fill="{COLOURS[0]}" fill-opacity="{shade / SHADES:.2f}"/>')
    return _frame(width, height, x, y, "\n".join(parts))
