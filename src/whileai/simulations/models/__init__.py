"""Models behind judges and writers: named by a spec, asked through their vendors' own clients, never by default.

>>> from whileai.simulations import models
>>> models.open_model("vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1")
ChatModel('vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1')
"""

from whileai.simulations.models import replies
from whileai.simulations.models.chat import ChatModel
from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.limits import Budget, RateLimit
from whileai.simulations.models.named import Anthropic, Bedrock, Endpoint, Fireworks, Hosted, Ollama, OpenAI
from whileai.simulations.models.settings import configure, context, open_model

__all__ = [
    "Anthropic",
    "Bedrock",
    "Budget",
    "ChatModel",
    "Endpoint",
    "Fireworks",
    "Hosted",
    "ModelError",
    "Ollama",
    "OpenAI",
    "RateLimit",
    "configure",
    "context",
    "open_model",
    "replies",
]
