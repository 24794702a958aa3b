"""`whileai.models` by its import path: one module with `whileai.simulations.models`, whose settings must not be two."""

import sys

from whileai.simulations import models
from whileai.simulations.models import *  # noqa: F403 - for readers of types: what the name below stands for

sys.modules[__name__] = models
