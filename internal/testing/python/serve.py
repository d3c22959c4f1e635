"""Runs scripts for tests: python serve.py SOCKET, until standard input ends.

Each connection asks for one run. It sends the script and its arguments as a line of JSON, and what the
script reads; it gets what the script prints, a byte 0, and what went wrong, if anything did. Libraries take seconds
to import: this process imports what a script does, once, and every run is a fork of it.
"""
import json
import os
import runpy
import select
import signal
import socket
import sys
import tempfile
import traceback


def run(arguments, text, connection):
    """Runs a script in this process, which then ends."""
    os.dup2(connection.fileno(), 1)
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as problems:
        given.write(text)
        given.seek(0)
        os.dup2(given.fileno(), 0)
        os.dup2(problems.fileno(), 2)
        sys.argv, failed = arguments, False
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        except SystemExit as end:
            failed = bool(end.code)
        except BaseException:
            traceback.print_exc()
            failed = True
        sys.stdout.flush()
        sys.stderr.flush()
        problems.seek(0)
        connection.sendall(b"\0" + (b"failed:\n" + problems.read() if failed else b""))
    os._exit(0)


def main():
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    server.listen(64)
    print(flush=True)  # tests may connect
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the runs
    imported = set()
    while sys.stdin not in select.select([sys.stdin, server], [], [])[0]:
        with server.accept()[0] as connection:
            with connection.makefile("rb") as request:
                arguments, text = json.loads(request.readline()), request.read()
            sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
            if arguments[0] not in imported:
                imported.add(arguments[0])
                try:
                    runpy.run_path(arguments[0], run_name="imported")
                except BaseException:
                    pass  # the run says what is wrong
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                server.close()
                run(arguments, text, connection)
    os.unlink(sys.argv[1])
    os.rmdir(os.path.dirname(sys.argv[1]))


main()
