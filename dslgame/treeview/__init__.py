"""Shows game trees: `layout` places the nodes, `picture` draws them as SVG, `page` makes an HTML page of them."""
