"""A dataset repository of the Hugging Face Hub as a target: every version is one commit, with all files or none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.models.secret import Secret
from whileai.simulations.registry.bundle import DESCRIPTION, Bundle
from whileai.simulations.registry.failure import RegistryError
from whileai.simulations.registry.scratch import scratch_folder
from whileai.simulations.reports import printable

_KIND = "dataset"
_OF_THE_HUB = frozenset({".gitattributes", "README.md"})  # what a repository may hold before anything is pushed to it
_HISTORY = "the repository is public now, with the versions that were pushed to it before, which its history holds"
_WORDS = 300  # characters of the Hub's words that an error quotes


@dataclass(frozen=True)
class HubTarget:
    """A dataset repository by its `OWNER/NAME`; without a key the one huggingface_hub finds (HF_TOKEN, its login)."""

    repo: str
    key: Secret | None = None

    def __str__(self) -> str:
        return f"hf://{self.repo}"

    def __repr__(self) -> str:
        return f"HubTarget('{self}')"

    def deliver(self, build: Callable[[Path], Bundle], *, publish: bool, timeout: float | None) -> dict[str, Any]:
        """Commit what `build` writes; a dataset that is the newest already is found, and nothing is committed."""
        hub = _library()
        api = hub.HfApi(token=self.key.reveal() if self.key else None)
        with scratch_folder() as folder:
            bundle = build(folder)
            return self._told(lambda: _Pushing(hub, api, self.repo).push(bundle, publish=publish))

    def _told(self, push: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The result; what the library raises, without the request that hangs on it, as a `RegistryError`."""
        try:
            return push()
        except _RefusedError:
            raise
        except Exception as error:
            status = getattr(getattr(error, "response", None), "status_code", None)
            words, kind = str(error), type(error).__name__
        shown = printable(" ".join((str(self.key.hidden_within(words)) if self.key else words).split()), _WORDS)
        hint = "; check the token (api_key= or HF_TOKEN) and its write access" if status in (401, 403, 404) else ""
        raise RegistryError(f"{self}: {shown or kind}{hint}", status=status if isinstance(status, int) else None)


class _RefusedError(ValueError):
    """The repository is not one that this dataset may go to."""


class _Pushing:
    """One push through the library's `HfApi`."""

    def __init__(self, hub: Any, api: Any, repo: str) -> None:
        self._hub, self._api, self._repo = hub, api, repo

    def push(self, bundle: Bundle, *, publish: bool) -> dict[str, Any]:
        info = self._info()
        known = self._known(info)
        same = known is not None and known.get("datasetId") == bundle.dataset_id
        if not same:
            self._check(info, known, bundle, publish)
        version = info.sha if same else self._commit(info, known, bundle)
        if publish and info.private:
            self._api.update_repo_settings(self._repo, private=False, repo_type=_KIND)
        return {
            "version": version,
            "created": not same,
            "published": publish or not info.private,
            "path": None,
            "url": f"{getattr(self._api, 'endpoint', 'https://huggingface.co')}/datasets/{self._repo}",
            "warnings": [_HISTORY] if publish and info.private and known is not None and not same else [],
        }

    def _info(self) -> Any:
        """What the repository is now; a new one is private until something is published in it."""
        try:
            return self._api.repo_info(self._repo, repo_type=_KIND)
        except self._hub.errors.RepositoryNotFoundError:
            self._api.create_repo(self._repo, repo_type=_KIND, private=True, exist_ok=True)
        return self._api.repo_info(self._repo, repo_type=_KIND)

    def _known(self, info: Any) -> dict[str, Any] | None:
        """The description of the dataset that is there; None for none."""
        if DESCRIPTION not in _names(info):
            return None
        at = self._api.hf_hub_download(self._repo, DESCRIPTION, repo_type=_KIND, revision=info.sha)
        try:
            known = json.loads(Path(at).read_bytes())
        except ValueError:
            return None
        return known if isinstance(known, dict) and isinstance(known.get("manifest"), dict) else None

    def _check(self, info: Any, known: dict[str, Any] | None, bundle: Bundle, publish: bool) -> None:
        repo = f"hf://{self._repo}"
        if known is None and (others := sorted(_names(info) - _OF_THE_HUB)):
            raise _RefusedError(f"{repo} holds other files ({printable(others[0], 80)!r} and so on): name a new one")
        if known is not None and (name := known["manifest"].get("name")) != bundle.manifest["name"]:
            raise _RefusedError(
                f"{repo} holds the dataset {name!r:.100}, not {bundle.manifest['name']!r}: name another repository, or "
                "push under that name"
            )
        if not info.private and not publish:
            raise _RefusedError(
                f"{repo} is public, so whatever is pushed there is published: pass publish=True and agent=, or name a "
                "private repository"
            )

    def _commit(self, info: Any, known: dict[str, Any] | None, bundle: Bundle) -> str:
        hub = self._hub
        operations = [hub.CommitOperationAdd(file.path, file.at) for file in bundle.files]
        operations.append(hub.CommitOperationAdd(DESCRIPTION, bundle.description().encode()))
        for path in sorted(_listed(known) & _names(info) - {file.path for file in bundle.files}):
            operations.append(hub.CommitOperationDelete(path))
        done = self._api.create_commit(
            self._repo,
            operations,
            commit_message=f"{bundle.manifest['name']} {bundle.dataset_id}",
            repo_type=_KIND,
            parent_commit=info.sha,
        )
        return str(done.oid)


def _names(info: Any) -> set[str]:
    return {sibling.rfilename for sibling in info.siblings or ()}


def _listed(known: dict[str, Any] | None) -> set[str]:
    """The files of the dataset that was there, which this one takes the place of."""
    files = known["manifest"].get("files") if known else None
    return {file["path"] for file in files or () if isinstance(file, dict) and isinstance(file.get("path"), str)}


def _library() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.errors
    except ImportError:
        raise MissingExtraError("huggingface_hub", extra="hf", what="pushing to hf://") from None
    return huggingface_hub
