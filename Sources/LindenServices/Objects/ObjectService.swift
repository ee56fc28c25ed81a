import Linden
import LindenKernel

/// Queries content and its statistics.
package struct ObjectService: Sendable {
    package typealias Figures = (object: UniversalObject, statistics: ObjectStatistics)

    private let storage: any Database

    package init(storage: any Database) {
        self.storage = storage
    }

    /// The range of all days.
    package static let always: ClosedRange<Int64> = 0...1_000_000

    /// Returns the whole days in UTC from `from` to `to`, counted since 1970; without either, all days. Fails with `invalid` for texts that
    /// ``DateRange`` rejects, and for a range that ends before it begins.
    ///
    /// - Parameter prefix: the prefix of `from` and `to` in error messages.
    package static func days(from: String?, to: String?, now: Timestamp, prefix: String = "") throws -> ClosedRange<Int64> {
        let range = try DateRange(from: from, to: to, now: now, allowsTime: false, prefix: prefix)
        let first = range.start?.day ?? always.lowerBound
        let last = range.end.map { $0.day - 1 } ?? always.upperBound
        guard first <= last else { throw Failure.invalid("\(prefix)from \(from ?? "") is after \(prefix)to \(to ?? "").") }
        return first...last
    }

    /// Returns an app's content, newest first.
    package func list(_ scope: Scope, before: UniversalObject.ID? = nil, limit: Int) async throws -> [Figures] {
        try await storage.analyze(scope) { reader in
            let objects = try reader.objects(of: scope, before: before, limit: limit)
            let statistics = try reader.statistics(of: objects.map(\.id), on: Self.always)
            return objects.map { (object: $0, statistics: statistics[$0.id] ?? ObjectStatistics()) }
        }
    }

    /// Returns a page of an app's content, newest first, with the id before which the next page begins; nil for the last page.
    package func page(
        _ scope: Scope, before: UniversalObject.ID?, limit: Int
    ) async throws -> (figures: [Figures], next: UniversalObject.ID?) {
        // One more than the page holds, which is the next page's.
        let found = try await list(scope, before: before, limit: limit + 1)
        let figures = Array(found.prefix(limit))
        return (figures, found.count > limit ? figures.last?.object.id : nil)
    }

    /// Returns a piece of content. Fails with `notFound`. Reads the rows that are not aggregated yet, as ``top(_:by:on:limit:)`` does.
    ///
    /// - Parameter identifier: the canonical identifier or, for content without one, its URL.
    package func show(_ identifier: String, in scope: Scope, on days: ClosedRange<Int64> = always) async throws -> Figures {
        try await storage.analyze(scope) { reader in
            guard let object = try reader.object(identifier, in: scope) else {
                throw Failure.notFound("The app has no content with the canonical identifier \(identifier).")
            }
            let statistics = try reader.statistics(of: [object.id], on: days)
            return (object: object, statistics: statistics[object.id] ?? ObjectStatistics())
        }
    }

    /// Returns the content with the highest values of a measure. Reads the days of all content that had any, so it is a question that must not
    /// keep short reads waiting.
    package func top(
        _ scope: Scope, by measure: ObjectMeasure, on days: ClosedRange<Int64> = always, limit: Int
    ) async throws -> [Figures] {
        defer { FreeMemory.giveBack() }
        return try await storage.analyze(scope) { reader in
            try reader.topObjects(of: scope, by: measure, on: days, limit: limit).compactMap { id, statistics in
                try reader.object(id).map { (object: $0, statistics: statistics) }
            }
        }
    }
}
