"""stub"""
import click
@click.command()
def perft() -> None: pass
