"""mutmut, which leaves functions with a decorator alone, save those under `@public`: it changes nothing but refusals.

The arguments are mutmut's own: `python scripts/mutation.py run 'whileai.simulations.score.passat*'`.
"""

import libcst as cst
from mutmut.__main__ import cli
from mutmut.mutation.file_mutation import MutationVisitor

_skipped = MutationVisitor._skip_node_and_children


def _is_public(node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.FunctionDef) or len(node.decorators) != 1:
        return False
    decorator = node.decorators[0].decorator
    return isinstance(decorator, cst.Name) and decorator.value == "public"


def _skip(self: MutationVisitor, node: cst.CSTNode) -> bool:
    return not _is_public(node) and _skipped(self, node)


MutationVisitor._skip_node_and_children = _skip  # at import: the processes that write the mutants may start anew

if __name__ == "__main__":
    cli()
