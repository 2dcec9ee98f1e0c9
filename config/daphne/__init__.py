"""Everything that changes or bypasses daphne, Twisted and autobahn. No other package touches them.

daphne runs its own code, with other classes in its factories (`Server.install`). Most of what they use is
private or undocumented, so the server does not start with untested versions (`compatibility`), and each
change has a test. docs/explanation/performance.md has what was tried and removed. On another ASGI server
none of this runs, and the proxy has to set these limits (docs/guide/hosting.md).

| what | why | figure | test in tests/servers |
|---|---|---|---|
| body limit | daphne reads bodies of any size | 3 MB | test_untrusted_requests |
| nothing before the handshake's answer | autobahn takes it for a handshake | finding C1 | test_connections |
| streams | daphne ends responses after `HTTP_TIMEOUT` | no limit | test_http |
| reset connections | uvloop gives them up, the next write raises | it ended all pings | test_closing |
| frame limit | pings are answered without limit | `SOCKET_RATE` | test_frame_limit |
| graceful shutdown | daphne ends without close frames | back in 10 s | test_run, faults/test_leaving |
| direct write | autobahn takes 30 calls for a frame | half of a move | test_direct_write |
| short frames | autobahn takes 30 calls to parse one | 20 % of a move | test_direct_write |
"""
