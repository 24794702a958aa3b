"""Datasets where others can take them from: a folder, the Hugging Face Hub, a registry behind HTTP.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     push_rows([{"task_id": "a", "prompt": "Hi", "reward": 1}], "greetings", target=folder)["version"]
1
"""

from whileai.simulations.registry.failure import RegistryError
from whileai.simulations.registry.push import push_rows

__all__ = ["RegistryError", "push_rows"]
