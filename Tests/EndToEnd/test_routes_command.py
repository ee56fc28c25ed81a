"""`linden routes match`: a team's own vectors held against the pattern languages."""

import json
from pathlib import Path

from support.command import linden

VECTORS = Path(__file__).parent.parent / "LinkRoutingTests" / "Vectors" / "routing.json"
FAMILIES = ["roots", "waapprouting", "aasa", "roots_connect", "assetlinks_dynamic"]


def test_every_vector_is_counted_and_holds(tmp_path):
    done = linden("routes", "match", "--vectors", str(VECTORS), "--format", "json", folder=tmp_path)

    assert done.status == 0, done.err
    vectors = json.loads(VECTORS.read_text())
    assert done.json == {
        family: {"total": len(vectors[family]), "hold": len(vectors[family]), "failures": []} for family in FAMILIES
    }


def test_a_case_that_does_not_hold_is_named(tmp_path):
    case = a_link_that_matches()
    wrong = {**case, "id": "wrong", "match": False}
    (tmp_path / "wrong.json").write_text(json.dumps({"aasa": [case, wrong]}))

    done = linden("routes", "match", "--vectors", "wrong.json", "--format", "json", folder=tmp_path)

    assert done.status == 1
    assert done.json["aasa"] == {"total": 2, "hold": 1, "failures": ["wrong"]}


def test_an_advisory_case_may_fail(tmp_path):
    case = a_link_that_matches()
    wrong = {**case, "match": False, "advisory": True}
    (tmp_path / "advisory.json").write_text(json.dumps({"aasa": [wrong]}))

    done = linden("routes", "match", "--vectors", "advisory.json", "--format", "json", folder=tmp_path)

    assert done.status == 0
    assert done.json["aasa"]["hold"] == 0


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "torn.json").write_text('{"aasa":')

    for name in ["missing.json", "list.json", "torn.json"]:
        done = linden("routes", "match", "--vectors", name, folder=tmp_path)
        assert done.status == 1
        assert name in done.err


def a_link_that_matches():
    return next(case for case in json.loads(VECTORS.read_text())["aasa"] if case["match"])
