"""The OpenAPI document is true: whatever is sent, nothing breaks and no answer surprises."""

from __future__ import annotations

from copy import deepcopy

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from ninja.openapi.schema import OpenAPISchema
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.api import api
from games.api.scopes import SCOPES
from tests.conftest import Launcher
from tests.helpers.programs import Program, programs
from tests.helpers.samples import sample
from tools.harness.servers import ParlourServer

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
STREAMS = {"stream", "events"}
"""They do not end; test_api_streams.py reads them."""

schema = schemathesis.openapi.from_dict(deepcopy(dict(api.get_openapi_schema())))


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), API_RATE="0", TABLES_PER_HOST="10000")


@pytest.fixture(scope="module")
def program(server: ParlourServer) -> Program:
    return programs(server, "Anna", scopes=list(SCOPES))[0]


@schema.exclude(operation_id=list(STREAMS)).parametrize()
@settings(
    max_examples=sample(15, 4),
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_does_what_the_document_says(case, server, program):
    response = case.call(base_url=server.url, headers={"Authorization": f"Bearer {program.token}"})
    case.validate_response(response, checks=CHECKS)


class Document(OpenAPISchema):
    """Ninja's document, which would let the last type of a name replace the others."""

    def add_schema_definitions(self, definitions):
        for name, definition in definitions.items():
            assert self.schemas.setdefault(name, definition) == definition, f"two types are called {name}"


def test_names_of_types_are_unique():
    assert Document(api, "/api/v1/")["components"]["schemas"]


def test_everything_is_described():
    document = api.get_openapi_schema()
    operations = [each for path in document["paths"].values() for each in path.values()]
    assert all(each["tags"] and each["description"] for each in operations)
    assert {each["operationId"] for each in operations} >= STREAMS
