"""The OpenAPI document of the API, with what ninja leaves out: scopes and error responses."""

from __future__ import annotations

from typing import Any

from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.operation import Operation
from pydantic import TypeAdapter

from games.api.access import Token
from games.api.problems import CONTENT_TYPE, Problem
from games.api.scopes import SCOPES

REFUSAL = {
    "description": "Nothing has changed; `code` says why.",
    "content": {CONTENT_TYPE: {"schema": {"$ref": REF_TEMPLATE.format(model="Problem")}}},
}
SECURITY_SCHEME = {
    **Token.openapi_security_schema,
    "description": "A token of your settings. Scopes: "
    + " ".join(f"{scope}: {sentence}" for scope, sentence in SCOPES.items()),
}


class Document(OpenAPISchema):
    """The document as a dictionary."""

    def operation_details(self, operation: Operation) -> dict[str, Any]:
        """One operation, with its scope and the errors that any operation may return."""
        details: dict[str, Any] = super().operation_details(operation)
        scopes = [each.scope for each in operation.auth_callbacks if isinstance(each, Token)]
        # Without a scope no token is needed, but a token may show more.
        details["security"] = [{"Token": scopes}] if scopes else [{}, {"Token": []}]
        details["responses"]["default"] = REFUSAL
        return details

    def get_components(self) -> dict[str, Any]:
        """The shared components."""
        self.schemas["Problem"] = TypeAdapter(Problem).json_schema(ref_template=REF_TEMPLATE)
        self.securitySchemes["Token"] = SECURITY_SCHEME
        components: dict[str, Any] = super().get_components()
        return components
