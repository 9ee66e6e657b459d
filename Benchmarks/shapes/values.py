"""What the feeds of all shapes are made of. What draws takes the generator first: a feed is the same each time."""

import string
from datetime import datetime, timedelta, timezone

START = datetime(2025, 9, 1, 6, 0, tzinfo=timezone.utc)
GIVEN = "Ada Bela Cleo Dov Ines Jon Kira Lev Mina Nils".split()
FAMILY = "Arden Brook Castell Drost Ekman Falk Grün Holm Ivers Jansen".split()
LETTERS = string.ascii_letters + string.digits


def drawn(random, length, letters=LETTERS):
    return "".join(random.choice(letters) for _ in range(length))


def hexes(random, length):
    return drawn(random, length, "0123456789abcdef")


def uid(random):
    return "-".join(hexes(random, length) for length in (8, 4, 4, 4, 12))


def moment(random, days=60, start=START):
    return start + timedelta(seconds=random.randrange(days * 86400))


def zulu(time, end="Z"):
    return time.strftime("%Y-%m-%dT%H:%M:%S") + end


def epoch(time):
    return int(time.timestamp())


def some(random, values, least, most):
    return random.sample(list(values), min(len(values), random.randint(least, most)))


def maybe(random, value, chance=0.7, otherwise=None):
    return value if random.random() < chance else otherwise


def kept(random, record, **chances):
    """The record without some of its members, each by its chance to stay."""
    return {key: value for key, value in record.items() if random.random() < chances.get(key.replace("-", "_"), 1)}
