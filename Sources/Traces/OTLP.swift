import LindenKernel

/// Traces as JSON for `POST /v1/traces` of a collector (OTLP/HTTP, https://opentelemetry.io/docs/specs/otlp/).
package enum OTLP {
    package static func json(_ spans: [Span], version: String) -> JSONObject {
        let service = attributes([("service.name", .text("linden")), ("service.version", .text(version))])
        return [
            "resourceSpans": [
                [
                    "resource": ["attributes": service],
                    "scopeSpans": [["scope": ["name": "linden"], "spans": .array(spans.map { .object(json($0)) })]],
                ]
            ]
        ]
    }

    private static func json(_ span: Span) -> JSONObject {
        var json: JSONObject = [
            "traceId": .string(span.context.traceID), "spanId": .string(span.context.spanID), "name": .string(span.name),
            "kind": JSON(span.kind.rawValue), "startTimeUnixNano": .string(String(span.start)),
            "endTimeUnixNano": .string(String(span.end)), "attributes": attributes(span.attributes),
        ]
        if let parent = span.parent { json["parentSpanId"] = .string(parent) }
        // The code of an error.
        if span.hasFailed { json["status"] = ["code": 2] }
        return json
    }

    private static func attributes(_ attributes: [(name: String, value: Span.Value)]) -> JSON {
        .array(
            attributes.map { name, value in
                switch value {
                case .text(let text): ["key": .string(name), "value": ["stringValue": .string(text)]]
                // 64-bit numbers are texts in this format.
                case .number(let number): ["key": .string(name), "value": ["intValue": .string(String(number))]]
                }
            })
    }
}
