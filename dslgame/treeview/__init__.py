"""Game trees to look at: `layout` places nodes, `picture` draws them as SVG, `page` makes an HTML page of them."""
