"""PettingZoo adapter: games as environments in which agents take turns (AEC).

>>> from dslgame.adapters.pettingzoo import env
>>> game = env("nex")
>>> game.reset(seed=1)
>>> game.agent_selection, game.num_agents
('Black', 2)

`pip install 'dslgame[pettingzoo]'` installs the dependencies.
"""

from __future__ import annotations

import warnings
from typing import Any

import dslgame
from interpreter.compiler.lowering.layout import GOING
from interpreter.game import Game

try:
    import gymnasium
    import numpy as np
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as problem:
    raise ImportError("dslgame.adapters.pettingzoo needs PettingZoo: pip install 'dslgame[pettingzoo]'",
                      name=problem.name) from problem

from dslgame.env import Environment
from dslgame.planes import Planes

MODES = ("ansi", "human")


class ImperfectRecall(UserWarning):
    """Warns that observations show what an agent sees now, and not what it saw before."""


def env(game: Game | str, *, max_cycles: int = 1000, render_mode: str | None = None, **options: Any) -> Any:
    """Wrap a game's environment in PettingZoo's usual checks: an illegal move ends the game and loses it.

    `game` is a game, or the name or path of one. `max_cycles` is the most moves of each player. The options are those
    of `dslgame.env.Environment`: `listed`, `most_actions`.
    """
    inner = raw_env(game, max_cycles=max_cycles, render_mode=render_mode, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1))


class raw_env(AECEnv):  # type: ignore[misc] # the name that PettingZoo's users expect
    """A game's environment without the checks; agents have the names of the players.

    An observation is a dictionary: `observation`, the planes as the agent sees them, and `action_mask`.
    """

    def __init__(self, game: Game | str, *, max_cycles: int = 1000, render_mode: str | None = None,
                 **options: Any) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            raise ValueError(f"render_mode is '{render_mode}', expected one of {', '.join(MODES)}, or None")
        self._game = game if isinstance(game, Game) else dslgame.load(game)
        if not self._game.observer.sees_all:
            warnings.warn(f"{self._game.unseen}; observations show what they see now: "
                          "an agent that is to know what it saw and did before has to remember it", ImperfectRecall,
                          stacklevel=2)
        players = self._game.players
        self._env = Environment(self._game, 1, limit=max_cycles * len(players), auto_reset=False, **options)
        self._planes = Planes.of(self._env.batch)
        self.metadata = {"name": f"{self._game.title.lower().replace(' ', '_').replace('-', '_')}_v0",
                         "render_modes": [*MODES], "is_parallelizable": False, "render_fps": 2}
        self.render_mode = render_mode
        self.possible_agents = list(players)
        self._spaces = {agent: gymnasium.spaces.Dict({
            "observation": gymnasium.spaces.Box(-1.0, 1.0, self._planes.shape, np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (self._env.actions,), np.int8),
        }) for agent in players}
        self._actions = {agent: gymnasium.spaces.Discrete(self._env.actions) for agent in players}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions: 0 to one less than their number."""
        return self._actions[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as an agent sees it, and its legal actions: none while another agent is to move."""
        viewer = self.possible_agents.index(agent)
        mask = np.zeros(self._env.actions, np.int8)
        if agent == self.agent_selection:
            mask[:] = self._env.legal[0]
        planes = self._planes.of_states(self._env.states, np.array([viewer]))
        return {"observation": planes[0], "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Restart the game. Where chance ends it at once, it is terminated, with rewards of 0, as nobody has acted."""
        self._env.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, bool(self._env.outcomes[0] != GOING))
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[int(self._env.to_move[0])]
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play the agent's action. Raises ValueError where it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        step = self._env.step(np.array([int(action)]))
        for number, other in enumerate(self.possible_agents):
            self.rewards[other] = float(step.rewards[0, number])
            self.terminations[other] = bool(step.terminated[0])
            self.truncations[other] = bool(step.truncated[0])
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[int(self._env.to_move[0])]
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text, printed where the mode is `human`. Raises ValueError where no mode was asked for."""
        if self.render_mode is None:
            raise ValueError("no render_mode was given, expected one of ansi, human when the environment is made")
        text = self._env.drawing(0)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
