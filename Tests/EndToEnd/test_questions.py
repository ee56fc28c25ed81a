"""The queries of `linden query` and `/api/v1/analytics/`: equal parameters, defaults and results."""

import json
from urllib.parse import urlencode

import pytest
import yaml

from test_analytics import AggregateTotals, today

SPAN = {"app": None, "from": "7d", "to": None, "timezone": "UTC"}
COUNTED = {"topic": "click", "by": None, "filter": None, "aggregation": "total_count"}
# Every question with its parameters and their defaults.
QUESTIONS = {
    "counts": SPAN | COUNTED | {"granularity": "day", "ordered": "descending", "ordered_by": None, "zero_fill": False, "limit": 100, "after": 0},
    "top": SPAN | COUNTED | {"limit": 10, "after": 0},
    "funnel": SPAN | {"by": None, "event": "PURCHASE", "days": 30},
    "cohort": SPAN | {"days": 7},
    "attribution": SPAN,
    "ltv": SPAN | {"by": "channel", "days": 365},
}
REQUIRED = {"top": {"by": "channel"}}
# What each parameter may say, beside its default.
VALUES = {
    "from": ["30d", "today", "yesterday", "last-month", "this-week", today(-2)],
    "to": ["today", "yesterday", "this-month", today(1)], "timezone": ["Europe/Berlin", "Asia/Kathmandu"],
    "topic": ["install", "click,install", "commerce_event"], "by": ["channel", "link", "feature"],
    "filter": ["channel=mail", "!channel=mail"], "aggregation": ["unique_count", "revenue"],
    "granularity": ["hour", "week", "month", "all"], "ordered": ["ascending"], "ordered_by": ["channel"], "zero_fill": [True],
    "limit": [1], "after": [1], "event": ["purchase", "LOGIN"], "days": [1, 60],
}


@pytest.fixture(scope="module")
def figures(server):
    return AggregateTotals(server.create_app())


@pytest.fixture(scope="module")
def description(server):
    return yaml.safe_load(server.get("/openapi.yaml").text)


def flags(server, question):
    """The options of a command with their defaults."""
    command = json.loads(server.command("query", question, "--experimental-dump-help").out)["command"]
    common = {"config", "database", "format", "help", "version"}
    names = {argument["preferredName"]["name"]: argument for argument in command["arguments"]}
    return {name.replace("-", "_"): argument for name, argument in names.items() if name not in common}


@pytest.mark.parametrize("question", QUESTIONS)
def test_command_and_description_have_the_parameters_of_the_table_with_its_defaults(server, description, question):
    components = description["components"]["parameters"]
    described = {}
    for parameter in description["paths"][f"/api/v1/analytics/{question}"]["get"]["parameters"]:
        parameter = components[parameter["$ref"].split("/")[-1]] if "$ref" in parameter else parameter
        described[parameter["name"]] = parameter["schema"].get("default")
    assert described == QUESTIONS[question]
    options = {name: argument.get("defaultValue") for name, argument in flags(server, question).items()}
    assert options == {name: None if value is None or value is False else str(value) for name, value in QUESTIONS[question].items()}


def ask_both(figures, question, parameters):
    """The rows and notices of both outputs."""
    arguments = []
    for name, value in parameters.items():
        arguments += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    done = figures.server.command("query", question, "--app", figures.app.branch_key, "--format", "json", *arguments)
    query = urlencode({"app": figures.app.branch_key} | {name: "true" if value is True else value for name, value in parameters.items()})
    answer = figures.server.get(f"/api/v1/analytics/{question}?{query}", {"Access-Token": figures.token})
    return done, answer


CASES = [(question, name, value) for question, parameters in QUESTIONS.items() for name in parameters for value in VALUES.get(name, [])]


@pytest.mark.parametrize(("question", "name", "value"), [(question, None, None) for question in QUESTIONS] + CASES)
def test_a_question_has_one_answer(figures, question, name, value):
    parameters = REQUIRED.get(question, {}) | ({} if name is None else {name: value})
    if name == "ordered_by":
        parameters["by"] = "channel"
    done, answer = ask_both(figures, question, parameters)
    assert done.status == 0 and answer.status == 200, done.complaint + answer.text
    assert done.json == answer.json["results"]
    if name is None:
        assert done.json
        explicit = {key: default for key, default in QUESTIONS[question].items() if default is not None and default is not False} | parameters
        again, same = ask_both(figures, question, explicit)
        assert again.json == done.json and same.json == answer.json


@pytest.mark.parametrize(("question", "name"), [
    (question, name) for question, parameters in QUESTIONS.items() for name in sorted(VALUES.keys() | {"colour"}) if name not in parameters])
def test_a_parameter_of_another_question_is_refused(figures, question, name):
    done, answer = ask_both(figures, question, REQUIRED.get(question, {}) | {name: VALUES.get(name, ["red"])[0]})
    assert done.status == 64 and answer.status == 400
    assert f"{name} is not a parameter of {question}. The parameters are app, from, to" in answer.text


@pytest.mark.parametrize(("question", "parameters", "complaint"), [
    ("top", {}, "by is missing"), ("counts", {"from": "soon"}, "from must be a date"), ("counts", {"from": "30d", "to": "7d"}, "belongs in from"),
    ("counts", {"granularity": "year"}, "is not a granularity"), ("counts", {"ordered": "up"}, "ascending or descending"),
    ("funnel", {"by": "country"}, "by must be one of"), ("cohort", {"days": 0}, "1 to 90"), ("ltv", {"days": 732}, "1 to 731"),
    ("counts", {"timezone": "Mars"}, "tz database"), ("counts", {"from": "today", "to": "yesterday"}, "end after it begins"),
])
def test_nonsense_is_refused_in_the_same_words(figures, question, parameters, complaint):
    done, answer = ask_both(figures, question, parameters)
    assert done.status == 1 and answer.status == 400
    assert complaint in done.err and complaint in answer.json["error"]["message"], done.err + answer.text
