import click
@click.command()
def play(): pass
