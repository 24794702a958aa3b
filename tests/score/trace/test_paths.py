"""Which files are tests, and which hold credentials."""

from __future__ import annotations

from tables import each_of
from whileai.simulations.score.trace.paths import is_test_file, secret_in


@each_of(
    "path",
    [
        "tests/test_pager.py", "pkg/test_pager.py", "src/__tests__/cart.tsx", "user_spec.rb", "test/cart.js",
        "cart.test.ts", "cart.spec.js", "pkg/x_test.go", "spec/models/user.rb", "/repo/tests/conftest.py",
        "src/test/java/CartTest.java", "CartTests.cs", "app\\tests\\a.py", "tests.py", "spec/helpers.js",
        "../tests/a.py",
    ],
)  # fmt: skip
def test_a_test_file_is_known_by_its_folder_or_its_name(path):
    assert is_test_file(path)


@each_of(
    "path",
    [
        "tests/__init__.py", "latest/x.py", "src/contest.py", "testing_utils.py", "attestation/x.go", "greatest.py",
        "docs/spec/openapi.yaml", "spec/api.md", "spec/schema.json", "tests/README.md", "tests/", "src/protest.py",
        "inspect.py", "spectrum/a.py", "", "a" * 5000 + "/tests/a.py",
        "src/test_utils.ts", "test/../src/a.py", "Latest.java", "spec/",
    ],
)  # fmt: skip
def test_a_word_that_holds_test_makes_none(path):
    assert not is_test_file(path)


@each_of(
    "text",
    [
        ".env", "config/.env", ".env.local", ".env.production", "~/.ssh/config", "/root/.ssh", "id_rsa", "id_ed25519",
        "~/.aws/credentials", ".npmrc", "key.pem", "certs/server.pem", "--env-file=.env", "load_dotenv('.env')",
    ],
)  # fmt: skip
def test_credentials_are_known_by_name(text):
    assert secret_in(text) == text


@each_of(
    "text",
    [
        "process.env", "process.env.PORT", "import.meta.env", ".env.example", ".env.sample", ".env.template", ".venv",
        "environment.ts", ".envrc", "id_rsa.pub", "cacert.pem", "ca-bundle.pem", "open.pemx", "my.environment", "",
        ".environ", "sshd.conf", "user_id_rsa_count",
    ],
)  # fmt: skip
def test_look_alikes_are_none(text):
    assert secret_in(text) == ""
