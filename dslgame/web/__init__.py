"""The web page of `dslgame web`: any game file played in a browser.

`server` answers HTTP and is stateless: a request names its game and all its moves, so that nobody can see or disturb
other people's games; only games that people share (`sharing`) are stored. It validates requests (`request_schema`) and
passes them to worker processes (`pool`, `worker`), which have limits of time and memory; `answers` is their work,
`positions` and `thinking` are parts of it. `page/` is the browser's side: plain modules and SVG, with nothing loaded
from elsewhere.
"""
