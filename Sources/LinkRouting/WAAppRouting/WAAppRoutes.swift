/// The table of an app that uses WAAppRouting: entities and blocks, each path once, in the order of their registration, which
/// decides between several that match (WAAppRouting leaves that to the order of a dictionary).
public struct WAAppRoutes: Sendable, Hashable {
    private enum Handler: Sendable, Hashable {
        case entity(WAAppEntity)
        case block(String)
    }

    private struct Row: Sendable, Hashable {
        var pattern: WAAppPattern
        var handler: Handler
    }

    private var rows: [Row] = []

    public init() {}

    /// The entities, in order.
    public var entities: [WAAppEntity] {
        rows.compactMap { if case .entity(let entity) = $0.handler { entity } else { nil } }
    }

    /// Registers every entity of a string such as `list{ListController}/:itemID{DetailController}`, or none if one is refused.
    public mutating func register(_ registration: String) throws(RouteSyntaxError) {
        var routes = self
        for entity in try WAAppEntity.entities(registering: registration) { try routes.register(entity) }
        self = routes
    }

    /// Registers an entity. The same again is ignored, another one for the same path is refused.
    public mutating func register(_ entity: WAAppEntity) throws(RouteSyntaxError) {
        try add(.entity(entity), path: entity.path)
    }

    /// Registers a block by its name, for the same kind of paths.
    public mutating func registerBlock(_ name: String, path: String) throws(RouteSyntaxError) {
        try add(.block(name), path: path)
    }

    private mutating func add(_ handler: Handler, path: String) throws(RouteSyntaxError) {
        guard path.utf8.count <= PatternLimits.patternLength else { throw .tooLong("the path") }
        if let existing = rows.first(where: { $0.pattern.text == path }) {
            guard existing.handler == handler, case .entity = handler else { throw .duplicatePath(path) }
            return
        }
        rows.append(Row(pattern: WAAppPattern(path), handler: handler))
    }

    /// What happens with a URL; nil when it concerns nobody. A block and an entity are looked for independently. `shouldHandle`
    /// switches entities off, for instance before login.
    public func match(_ url: String, shouldHandle: (WAAppEntity) -> Bool = { _ in true }) -> WAAppMatch? {
        guard let url = WAAppURL(url) else { return nil }
        var block: (name: String, path: String, parameters: [String: String])?
        var entity: (value: WAAppEntity, parameters: [String: String])?
        for row in rows {
            switch row.handler {
            case .block(let name) where block == nil:
                block = row.pattern.parameters(in: url).map { (name, row.pattern.text, $0) }
            case .entity(let value) where entity == nil:
                entity = row.pattern.parameters(in: url).map { (value, $0) }
            default: break
            }
        }
        guard let path = entity?.value.path ?? block?.path else { return nil }
        let shown = entity.flatMap { shouldHandle($0.value) ? $0.value : nil }
        return WAAppMatch(
            path: path, block: block?.name, entity: entity?.value, stack: shown.map(stack) ?? [],
            isHandled: entity == nil || shown?.targetClass != nil, parameters: entity?.parameters ?? block?.parameters ?? [:],
            query: url.query)
    }

    /// The classes from the first to an entity's, found by going back from source to source.
    public func stack(to entity: WAAppEntity) -> [String] {
        guard let target = entity.targetClass else { return [] }
        let entities = entities
        var stack = [target]
        var source = entity.sourceClass
        // A class is in a stack once, so that classes which lead to each other come to an end.
        while let current = source, !stack.contains(current) {
            stack.append(current)
            source = entities.first { $0.targetClass == current }?.sourceClass
        }
        return stack.reversed()
    }
}
