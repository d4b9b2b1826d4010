import pytest

from runbook.formats.socket_statistics import Connection, read_connections

# Of iproute2 6.1, with other addresses; the second was opened a moment before, the last but one is IPv6 on loopback.
TOLD = """\
0      0      10.0.1.11:9092       10.0.2.12:52440
\t bbr wscale:0,10 rto:208 rtt:5.439/10.866 ato:52 mss:16384 bytes_sent:911 busy:44ms minrtt:4.803 snd_wnd:32745
0      0      10.0.1.11:9092       10.0.2.13:52441
\t cubic wscale:0,10 rto:1000 mss:16384
0      36     [::ffff:10.0.1.11]:22        [::ffff:10.0.9.9]:40112
\t cubic rto:204 rtt:0.023/0.007 ato:40 minrtt:0.02
0      0      [::1]:22        [::1]:40112
\t cubic rto:204 rtt:0.023/0.007 ato:40 minrtt:0.003
0      0      [fe80::1%eth0]:9092        [fe80::2%eth0]:40112
\t cubic rto:204 rtt:1.5/0.7 ato:40 minrtt:1.25
"""


def test_each_connection_that_was_measured_has_its_ends_and_its_round_trips():
    assert [*read_connections(TOLD)] == [
        Connection("10.0.1.11", "10.0.2.12", 4.803, 5.439),
        Connection("10.0.1.11", "10.0.9.9", 0.02, 0.023),
        Connection("fe80::1", "fe80::2", 1.25, 1.5),
    ]


@pytest.mark.parametrize("text", ["ss: command not found\n", "\t rtt:1/1 minrtt:1\n", "Recv-Q Send-Q Local Peer\n"])
def test_something_else_is_refused(text: str):
    with pytest.raises(ValueError):  # noqa: PT011 - the message is the line
        [*read_connections(text)]


def test_a_host_without_connections_has_none():
    assert [*read_connections("")] == []
