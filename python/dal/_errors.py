"""The exception of the package."""


class Error(Exception):
    """What dalsynth, or a network that runs, has to say when it fails."""
