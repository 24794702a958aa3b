"""Whether TRL takes the files that `export_training` and `export_preference` write: one step of SFT and DPO on each.

TRL brings torch, so this is no part of the test run. In an environment of its own (CPU is enough, nothing is
downloaded but the packages):

    python3 -m venv /tmp/trl && /tmp/trl/bin/pip install torch==2.13.0 && /tmp/trl/bin/pip install trl .
    /tmp/trl/bin/python scripts/check_trl.py

It prints a line a file and ends with exit code 1 where TRL trains on other tokens than the file marks.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

from datasets import Dataset, load_dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

from whileai.simulations.exports import export_preference, export_training
from whileai.simulations.score.judging import build_preference_pairs

# Roles, words and calls, with the tokens to train on marked as TRL asks for assistant_only_loss.
TEMPLATE = (
    "{% for tool in tools or [] %}<tool> {{ tool.function.name }} {% endfor %}"
    "{% for m in messages %}<{{ m.role }}> "
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}"
    "{% for c in m.tool_calls or [] %} call {{ c.function.name }}"
    "{% for key, value in c.function.arguments.items() %} {{ key }} {{ value }}{% endfor %}{% endfor %}"
    " <end> {% endgeneration %}{% else %}{{ m.content }} <end> {% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<assistant> {% endif %}"
)
TOOLS = [{"name": "get_order", "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}}}]


def rollouts() -> list[dict[str, Any]]:
    """Eight tasks of two attempts: a call and a reply each, the second attempt wrong."""
    return [
        {
            "scenario_id": f"task-{task}",
            "rollout_index": attempt,
            "prompt": f"Where is order {task} ?",
            "steps": [
                {"tool": "get_order", "arguments": {"order_id": f"O{task}"}, "result": f"order {task} shipped"},
            ],
            "final_text": f"Order {task} has shipped ." if attempt == 0 else "I do not know .",
            "reward": 1 - attempt,
        }
        for task in range(8)
        for attempt in range(2)
    ]  # fmt: skip


def tokenizer() -> PreTrainedTokenizerFast:
    """Words as tokens: a vocabulary of what the rollouts hold."""
    fixed = "<pad> <unk> <end> <tool> <system> <user> <assistant> call get_order order_id Be brief . ? Where is order"
    words = f"{fixed} shipped Order has I do not know 0 1 2 3 4 5 6 7".split()
    names = {word: place for place, word in enumerate(dict.fromkeys([*words, *(f"O{n}" for n in range(8))]))}
    inner = Tokenizer(models.WordLevel(names, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", unk_token="<unk>", eos_token="<end>")
    made.chat_template = TEMPLATE
    return made


def model(words: int) -> LlamaForCausalLM:
    """The smallest model that trains."""
    config = LlamaConfig(
        vocab_size=words, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=256, pad_token_id=0, eos_token_id=2, bos_token_id=None,
    )  # fmt: skip
    return LlamaForCausalLM(config)


def read(path: Path) -> Dataset:
    """The file as `datasets` reads it."""
    return load_dataset("json", data_files=str(path), split="train", cache_dir=str(path.parent / "cache"))


def trained_words(trainer: SFTTrainer, taken: PreTrainedTokenizerFast) -> str:
    """The words of the first example that TRL computes a loss on."""
    batch = trainer.data_collator([trainer.train_dataset[0]])
    return taken.decode([token for token in batch["labels"][0].tolist() if token >= 0])


def sft(folder: Path) -> Iterator[tuple[str, bool, str]]:
    """What is trained on in each of the three shapes of a training file."""
    call, answer = "call get_order order_id O0 <end>", "Order 0 has shipped . <end>"
    for name, options, wanted in (
        ("all turns", {}, f"{call} {answer}"),
        ("final turn", {"mask_mode": "final"}, answer),
        ("unrolled", {"unroll": True}, call),
    ):
        path = folder / f"{name.replace(' ', '-')}.jsonl"
        export_training(rollouts(), path, format="trl", tools=TOOLS, system_prompt="Be brief .", **options)
        taken, masks = tokenizer(), not options
        trainer = SFTTrainer(
            model=model(len(taken)),
            args=SFTConfig(**settings(folder), assistant_only_loss=masks, max_length=200),
            train_dataset=read(path),
            processing_class=taken,
        )
        found = trained_words(trainer, taken)
        trainer.train()
        yield f"SFT, {name}", found == wanted, found


def dpo(folder: Path) -> Iterator[tuple[str, bool, str]]:
    """The pairs, with the words of each side."""
    path = folder / "pairs.jsonl"
    pairs, _ = build_preference_pairs(rollouts())
    export_preference(pairs, path, format="trl", tools=TOOLS, system_prompt="Be brief .")
    taken = tokenizer()
    trainer = DPOTrainer(
        model=model(len(taken)),
        ref_model=model(len(taken)),
        args=DPOConfig(**settings(folder), max_length=200),
        train_dataset=read(path),
        processing_class=taken,
    )
    example = trainer.train_dataset[0]
    sides = [taken.decode(example[name]) for name in ("prompt_ids", "chosen_ids", "rejected_ids")]
    trainer.train()
    right = sides[0].endswith("shipped <end> <assistant>") and "Order 0" in sides[1] and "I do not know" in sides[2]
    yield "DPO", right, " | ".join(sides)


def settings(folder: Path) -> dict[str, Any]:
    """One step, nothing kept."""
    return {
        "output_dir": str(folder / "out"), "max_steps": 1, "per_device_train_batch_size": 2, "report_to": "none",
        "save_strategy": "no", "use_cpu": True, "bf16": False, "gradient_checkpointing": False, "disable_tqdm": True,
        "logging_strategy": "no",
    }  # fmt: skip


def main() -> int:
    """Check each file; 1 where one is taken for something else."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for check in (sft, dpo):
            for name, right, found in check(Path(folder)):
                print(f"{'ok' if right else 'WRONG':5} {name}: {found}")
                wrong += not right
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
