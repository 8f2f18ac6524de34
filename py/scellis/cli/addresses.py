"""Files at any address that fsspec reads: a path, https://…, s3://…, zip://part::file.zip, memory://…"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

import fsspec
from fsspec.registry import known_implementations

from scellis.errors import ScellisError
from scellis.train.data import DATASET_LIMIT_BYTES, FILES_LIMIT

NOT_FOUND = 404
_WITHOUT_FOLDERS = ("http", "https", "data")


def is_remote(address: str) -> bool:
    """Whether it is an address rather than the path of a file here."""
    return "://" in address or "::" in address


def read_address(address: str) -> bytes:
    """What a file holds.

    Raises `SCL-DATA-PROTOCOL` for a protocol that is not known or whose package is not installed,
    `SCL-DATA-MISSING`, `SCL-DATA-SIZE`, and `SCL-DATA-UNREACHABLE` with what its package says.
    """
    with _named(address), fsspec.open(address, "rb") as file:
        data = bytes(file.read(DATASET_LIMIT_BYTES + 1))
    if len(data) > DATASET_LIMIT_BYTES:
        raise _too_large(address)
    return data


def read_folder(address: str) -> dict[str, bytes] | None:
    """The files of a folder by their paths in it; None where it is none. Raises what `read_address` does."""
    if _protocol(address) in _WITHOUT_FOLDERS:
        return None
    with _named(address):
        files, path = fsspec.url_to_fs(address)
        if not files.isdir(path):
            return None
        sizes = {name: row["size"] or 0 for name, row in files.find(path, detail=True).items()}
        if len(sizes) > FILES_LIMIT or sum(sizes.values()) > DATASET_LIMIT_BYTES:
            raise _too_large(address)
        root = PurePosixPath("/" + path.strip("/"))
        return {
            PurePosixPath("/" + name.strip("/")).relative_to(root).as_posix(): bytes(files.cat_file(name))
            for name in sizes
        }


def beside(address: str, name: str) -> str:
    """The address of a file beside another, in the same archive where that is in one."""
    head, chain, rest = address.partition("::")
    folder, slash, _ = head.rpartition("/")
    return f"{folder}{slash}{name}{chain}{rest}"


def last_name(address: str) -> str:
    """What the file or folder at an address is called."""
    return address.partition("::")[0].partition("?")[0].rstrip("/").rpartition("/")[2]


def _protocol(address: str) -> str:
    return address.partition("://")[0] if "://" in address.partition("::")[0] else "file"


@contextmanager
def _named(address: str) -> Iterator[None]:
    """Errors of fsspec and of the packages behind it, as ours; each such package has its own."""
    protocol = _protocol(address)
    try:
        yield
    except ScellisError:
        raise
    except ImportError as error:
        raise ScellisError(
            "SCL-DATA-PROTOCOL",
            f"{protocol}:// needs a package that is not installed here.",
            str(known_implementations.get(protocol, {}).get("err") or error),
        ) from error
    except ValueError as error:
        if "Protocol not known" not in str(error):
            raise _unreachable(address, error) from error
        raise ScellisError(
            "SCL-DATA-PROTOCOL",
            f"{protocol[:40]}:// is no protocol that fsspec knows.",
            f"Known: {', '.join(sorted(known_implementations))}.",
        ) from error
    except FileNotFoundError as error:
        cause = error.__cause__  # over HTTP whatever goes wrong is told as a file that is not there
        if cause is not None and getattr(cause, "status", None) != NOT_FOUND:
            raise _unreachable(address, cause) from error
        raise ScellisError("SCL-DATA-MISSING", f"There is nothing at {address[:400]}.") from error
    except Exception as error:
        raise _unreachable(address, error) from error


def _unreachable(address: str, error: BaseException) -> ScellisError:
    return ScellisError(
        "SCL-DATA-UNREACHABLE",
        f"{address[:400]} cannot be read: {str(error)[:300] or type(error).__name__}.",
        "Look at the address, and at what its host wants of whoever reads.",
    )


def _too_large(address: str) -> ScellisError:
    return ScellisError(
        "SCL-DATA-SIZE", f"{address[:400]} has more than {DATASET_LIMIT_BYTES} bytes, or too many files."
    )
