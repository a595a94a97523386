"""The web page of `dslgame web`: any game file played in a browser.

`server` answers HTTP and holds no game: a request names its game and all its moves, so that nobody can see or disturb
what others play. It checks what is asked (`asking`) and hands it to worker processes (`pool`, `worker`), which have
limits of time and memory; `answers` is what they do, `positions` and `thinking` its parts. `page/` is what the browser
gets: plain modules and SVG, nothing from another place.
"""
