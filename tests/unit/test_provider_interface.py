"""llm_provider_interface: pipeline code asks models through the runtime, never a vendor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidegate.gates.model import Level, Severity, Status
from tidegate.gates.provider_interface import judge_code
from tidegate.gates.reasons import Reason
from tidegate.gates.vendor_code import Finding, scan

REPOSITORY = Path(__file__).resolve().parents[2]
BLOCK = Level.BLOCK


def write(folder: Path, path: str, text: str) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def found(folder: Path) -> list[tuple[str, int, str, str]]:
    return [(f.path, f.line, f.reason.value, f.names) for f in scan(folder).findings]


GOOD = '''"""See https://api.openai.com/v1 for what an adapter calls."""
from runtime import InferenceRuntime  # never import openai here

out = InferenceRuntime().run("pub_outcome", revision=4)
'''


@pytest.mark.parametrize("transport", ["sync", "native_batch"])
def test_an_asset_that_asks_the_runtime_passes(tmp_path: Path, transport: str) -> None:
    """With the fake provider's adapter for either transport beside it."""
    write(tmp_path, "models/evidence/good.py", GOOD)
    write(tmp_path, "scripts/runtime/adapters/fake.py", f"TRANSPORT = {transport!r}\n")
    (result,) = judge_code(scan(tmp_path), ["publications"])
    assert (result.status, result.rows_checked, result.blocks) == (Status.PASS, 2, False)


def test_an_asset_that_imports_a_vendor_sdk_directly_blocks(tmp_path: Path) -> None:
    """File, line and vendor are named; the adapter beside it may."""
    write(tmp_path, "models/evidence/direct.py", "import os\nimport openai\n")
    write(tmp_path, "scripts/runtime/adapters/openai_adapter.py", "import openai\n")
    (result,) = judge_code(scan(tmp_path), ["publications"])
    assert (result.status, result.rows_failing, result.blocks) == (Status.FAIL, 1, True)
    assert result.reasons == {"vendor_import": 1}
    assert result.sample_keys == ("models/evidence/direct.py:2",)
    assert result.samples[0].metadata == {"names": "openai"}
    assert (result.gate_id, result.spec.family) == ("llm_provider_interface", "publications")
    assert result.remediation_hint == (
        "Ask through the inference runtime; a vendor's SDK, address and model names belong into an"
        " adapter (a folder `adapters`) and into profiles."
    )


@pytest.mark.parametrize(
    ("code", "reason", "names"),
    [
        ("import anthropic as a", "vendor_import", "anthropic"),
        ("from openai.types import X", "vendor_import", "openai"),
        ("from google import genai", "vendor_import", "google.genai"),
        ("import google.generativeai as g", "vendor_import", "google.generativeai"),
        ("def f():\n    from mistralai import Mistral", "vendor_import", "mistralai"),
        ("import importlib\nimportlib.import_module('cohere')", "vendor_import", "cohere"),
        ("__import__('litellm')", "vendor_import", "litellm"),
        ("post('https://api.anthropic.com/v1/messages')", "vendor_address", "api.anthropic.com"),
        ("HOST = 'API.OPENAI.COM'", "vendor_address", "api.openai.com"),
        ("u = f'https://mine.openai.azure.com/{x}'", "vendor_address", "mine.openai.azure.com"),
        ("u = 'https://bedrock-runtime.eu-west-1.amazonaws.com'", "vendor_address",
         "bedrock-runtime.eu-west-1.amazonaws.com"),
        ("ask(model='gpt-4o')", "vendor_model", "gpt-4o"),
    ],
)  # fmt: skip
def test_each_way_around_the_runtime_blocks(
    tmp_path: Path, code: str, reason: str, names: str
) -> None:
    """Imports of every form, addresses in any text, names of models."""
    write(tmp_path, "models/evidence/x.py", code + "\n")
    assert [item[2:] for item in found(tmp_path)] == [(reason, names)]


@pytest.mark.parametrize(
    "code",
    [
        "import openai_costs",
        "from .openai import price",
        "from myproject import together",
        "import boto3\nboto3.client('s3')",
        "word = 'the anthropic principle, and gpt-4 as a word of prose'",
        "url = 'https://openai.com/policies'",
        "url = 'https://api.openai.com.example.test'",
        "from google.cloud import storage",
        "'''import openai'''",
        "# import anthropic, https://api.openai.com",
    ],
)
def test_what_only_looks_like_a_vendor_passes(tmp_path: Path, code: str) -> None:
    """Other modules of similar names, other clouds' storage, prose and comments."""
    write(tmp_path, "macros/x.py", code + "\n")
    assert found(tmp_path) == []


def test_sql_is_read_without_its_comments(tmp_path: Path) -> None:
    """An address in a query blocks, one in a comment does not; lines keep their numbers."""
    write(
        tmp_path,
        "models/evidence/ask.sql",
        "-- api.openai.com\n{# api.cohere.com\n#}\n/* api.groq.com */\n"
        "select http_post('https://api.mistral.ai/v1', '{\"model\": \"claude-3-opus\"}')\n",
    )
    assert found(tmp_path) == [
        ("models/evidence/ask.sql", 5, "vendor_address", "api.mistral.ai"),
        ("models/evidence/ask.sql", 5, "vendor_model", "claude-3-opus"),
    ]


def test_an_adapter_of_degraded_parity_warns(tmp_path: Path) -> None:
    """It says itself what its provider cannot do; nothing is withheld for it."""
    write(tmp_path, "scripts/adapters/p.py", "import openai\nDEGRADED = ('native_batch',)\n")
    (result,) = judge_code(scan(tmp_path), ["publications"])
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert result.reasons == {"adapter_degraded": 1}
    assert result.sample_keys == ("scripts/adapters/p.py:2",)


def test_code_that_cannot_be_read_has_not_passed(tmp_path: Path) -> None:
    """Neither Python with a vendor in it that does not parse nor bytes that are no text."""
    write(tmp_path, "scripts/broken.py", "import (openai\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "x.sql").write_bytes(b"\xff\xfe select")
    assert scan(tmp_path).findings == (
        Finding("models/x.sql", 1, BLOCK, Reason.CODE_UNREADABLE, ""),
        Finding("scripts/broken.py", 1, BLOCK, Reason.CODE_UNREADABLE, ""),
    )


def test_no_code_no_verdict(tmp_path: Path) -> None:
    """A folder without code is not a pass."""
    (result,) = judge_code(scan(tmp_path), ["publications"])
    assert (result.status, result.blocks) == (Status.NOT_EVALUATED, True)


def test_severity_warning_records_and_does_not_block(tmp_path: Path) -> None:
    """As for every gate."""
    write(tmp_path, "models/x.py", "import openai\n")
    (result,) = judge_code(scan(tmp_path), ["publications"], severity=Severity.WARNING)
    assert (result.status, result.blocks) == (Status.WARN, False)


def test_at_most_25_places_are_named(tmp_path: Path) -> None:
    """The count is whole, the sample is capped."""
    write(tmp_path, "models/x.py", "import openai\n" * 40)
    (result,) = judge_code(scan(tmp_path), ["publications"])
    assert (result.reasons, len(result.samples)) == ({"vendor_import": 40}, 25)


def test_the_projects_own_code_asks_no_vendor() -> None:
    """The repository keeps its own rule."""
    done = scan(REPOSITORY)
    assert done.files > 100
    assert done.findings == ()
