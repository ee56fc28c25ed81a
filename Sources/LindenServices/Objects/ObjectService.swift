import Linden
import LindenKernel

/// Queries content and its statistics.
package struct ObjectService: Sendable {
    package typealias Figures = (object: UniversalObject, statistics: ObjectStatistics)

    private let storage: any Storage

    package init(storage: any Storage) {
        self.storage = storage
    }

    /// The range of all days.
    package static let always: ClosedRange<Int64> = 0...1_000_000

    /// Returns an app's content, newest first.
    package func list(_ scope: Scope, before: UniversalObject.ID? = nil, limit: Int) async throws -> [Figures] {
        try await storage.read { reader in
            let objects = try reader.objects(of: scope, before: before, limit: limit)
            let statistics = try reader.statistics(of: objects.map(\.id), on: Self.always)
            return objects.map { (object: $0, statistics: statistics[$0.id] ?? ObjectStatistics()) }
        }
    }

    /// Returns a piece of content. Fails with `notFound`.
    ///
    /// - Parameter identifier: the canonical identifier or, for content without one, its URL.
    package func show(_ identifier: String, in scope: Scope, on days: ClosedRange<Int64> = always) async throws -> Figures {
        try await storage.read { reader in
            guard let object = try reader.object(identifier, in: scope) else {
                throw Failure.notFound("The app has no content with the canonical identifier \(identifier).")
            }
            let statistics = try reader.statistics(of: [object.id], on: days)
            return (object: object, statistics: statistics[object.id] ?? ObjectStatistics())
        }
    }

    /// Returns the content with the highest values of a measure.
    package func top(
        _ scope: Scope, by measure: ObjectMeasure, on days: ClosedRange<Int64> = always, limit: Int
    ) async throws -> [Figures] {
        try await storage.read { reader in
            try reader.topObjects(of: scope, by: measure, on: days, limit: limit).compactMap { id, statistics in
                try reader.object(id).map { (object: $0, statistics: statistics) }
            }
        }
    }
}
