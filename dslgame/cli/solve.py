import click
@click.command()
def solve(): pass
