import LinkRouting

extension ExportRequest {
    /// Whether columns or the filter need the data of touches beyond their written form.
    var asksTouches: Bool {
        columns.contains(where: \.asksTouches) || filter?.columns.contains { $0.projection.contains(.touch) } == true
    }

    var needsLinkURL: Bool {
        (columns + (filter?.columns ?? [])).contains { $0.name == ExportColumn.linkURL }
    }

    /// The projection that the columns and the filter need.
    var projection: ExportRow.Projection {
        (columns + (filter?.columns ?? [])).reduce(into: []) { $0.formUnion($1.projection) }
    }
}
