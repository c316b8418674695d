"""Checking Ed25519 signatures (RFC 8032) without other packages.

It is slow, some milliseconds a signature, and only checks: it never handles a private key. The
server signs with the `cryptography` package.
"""

from __future__ import annotations

import hashlib

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
KEY_BYTES = 32
SIGNATURE_BYTES = 64

# A point (X, Y, Z, T) of the curve with x = X/Z, y = Y/Z and xy = T/Z
Point = tuple[int, int, int, int]

D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)
NEUTRAL: Point = (0, 1, 1, 0)


def is_signature(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a signature of a message is that of a public key.

    Points and numbers that are not in their only valid form are refused.

    Args:
        public: 32 bytes.
        signature: 64 bytes.
    """
    if len(public) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    encoded_r = signature[:KEY_BYTES]
    s = int.from_bytes(signature[KEY_BYTES:], "little")
    key = _decode(public)
    if key is None or s >= ORDER:
        return False
    hashed = hashlib.sha512(encoded_r + public + message).digest()
    k = int.from_bytes(hashed, "little") % ORDER
    minus_key = (PRIME - key[0], key[1], key[2], PRIME - key[3])
    expected_r = _add(_multiply(s, BASE), _multiply(k, minus_key))
    return _encode(expected_r) == encoded_r


def _add(p: Point, q: Point) -> Point:
    """Return the sum of two points."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % PRIME
    b = (p[1] + p[0]) * (q[1] + q[0]) % PRIME
    c = 2 * p[3] * q[3] * D % PRIME
    d = 2 * p[2] * q[2] % PRIME
    e = b - a
    f = d - c
    g = d + c
    h = b + a
    return (e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def _multiply(number: int, point: Point) -> Point:
    """Return a multiple of a point."""
    result = NEUTRAL
    while number:
        if number & 1:
            result = _add(result, point)
        point = _add(point, point)
        number >>= 1
    return result


def _encode(point: Point) -> bytes:
    """Return the 32 bytes of a point: y, and the lowest bit of x as the highest bit."""
    inverse = pow(point[2], PRIME - 2, PRIME)
    x = point[0] * inverse % PRIME
    y = point[1] * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(KEY_BYTES, "little")


def _decode(encoded: bytes) -> Point | None:
    """Return the point that 32 bytes encode; None if they encode none."""
    number = int.from_bytes(encoded, "little")
    y = number & (2**255 - 1)
    x = None if y >= PRIME else _x_of(y, number >> 255)
    if x is None:
        return None
    return (x, y, 1, x * y % PRIME)


def _x_of(y: int, lowest_bit: int) -> int | None:
    """Return the x of a point of the curve by y and by its lowest bit; None if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, PRIME - 2, PRIME) % PRIME
    if square == 0:
        return None if lowest_bit else 0
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * ROOT_OF_MINUS_ONE % PRIME
    if x * x % PRIME != square:
        return None
    return PRIME - x if x & 1 != lowest_bit else x


def _base() -> Point:
    """Return the base point, whose y is 4/5 and whose x is even."""
    y = 4 * pow(5, PRIME - 2, PRIME) % PRIME
    x = _x_of(y, 0)
    if x is None:
        raise ArithmeticError("the base point is not on the curve")
    return (x, y, 1, x * y % PRIME)


BASE = _base()
