"""TLS sockets for kafka-python, which leaves the socket of a handshake that failed to the garbage collector."""

import ssl


class ClosingSocket(ssl.SSLSocket):
    """A TLS socket that closes itself if its handshake fails, for a context's `sslsocket_class`."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - the signature of the class above
        """Shake hands, or go on with it.

        Raises:
            OSError: it failed, and the socket is closed; or it must wait, and is not.
        """
        try:
            super().do_handshake(block)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except OSError:
            self.close()
            raise
