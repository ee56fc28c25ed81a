"""The served OpenAPI description, checked by a tool that knows nothing else of the server."""

import pytest

from support.description import CONFORMANCE, call_as_described

EXAMPLE_KEY = "key_live_cT5zG1mWq8Lr2Bv7Nd4Hj9Kf3Xs6Pa0E"
EXAMPLE_SECRET = "secret_live_g5thfe3F0Dk6lsd7UlqbVwDH8cVRflxI"
KEY_PATTERN = 'pattern: "^key_(live|test)_[0-9A-Za-z]{32}$"'


# Without an app's key the answers are refusals, of which there are few kinds.
@pytest.mark.parametrize(("has_key", "examples"), [(True, 8), (False, 2)], ids=["of an app", "of no app"])
def test_the_server_answers_as_its_description_says(server, orchard, tmp_path, has_key, examples):
    description = server.get("/openapi.yaml").text
    assert all(text in description for text in (EXAMPLE_KEY, EXAMPLE_SECRET, KEY_PATTERN))
    if has_key:
        description = description.replace(EXAMPLE_KEY, orchard.branch_key).replace(EXAMPLE_SECRET, orchard.branch_secret)
        description = description.replace(KEY_PATTERN, f"enum: [{orchard.branch_key}]")
    (tmp_path / "openapi.yaml").write_text(description)

    run = call_as_described(tmp_path / "openapi.yaml", server.base_url, examples, CONFORMANCE, timeout=300)

    assert run.returncode == 0, run.stdout[-20000:]
