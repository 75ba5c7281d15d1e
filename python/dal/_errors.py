"""The exception and the warning of the package."""


class Error(Exception):
    """What dalsynth, or a network that runs, has to say when it fails."""


class SmallCallsWarning(UserWarning):
    """A loop moves so few bytes a call that the calls cost more than the tokens."""
