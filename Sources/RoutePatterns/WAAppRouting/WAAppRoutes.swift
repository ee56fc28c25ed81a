/// The route table of an app with WAAppRouting: entities and blocks, each path once, in the order of registration. The first that matches
/// wins; in WAAppRouting the winner depends on the order of a dictionary.
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

    /// Registers all entities of a string such as `list{ListController}/:itemID{DetailController}`, or none if one is rejected.
    public mutating func register(_ registration: String) throws(RouteSyntaxError) {
        var routes = self
        for entity in try WAAppEntity.entities(registering: registration) { try routes.register(entity) }
        self = routes
    }

    /// Registers an entity. An equal one is ignored; another one for the same path throws.
    public mutating func register(_ entity: WAAppEntity) throws(RouteSyntaxError) {
        try add(.entity(entity), path: entity.path)
    }

    /// Registers a block by its name. Throws if the path is registered already.
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

    /// Returns the actions for a URL; nil if nothing matches. A block and an entity are searched for independently. `shouldHandle` can
    /// disable entities, for example before login.
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

    /// Returns the navigation stack for an entity, bottom first, by following the source classes.
    public func stack(to entity: WAAppEntity) -> [String] {
        guard let target = entity.targetClass else { return [] }
        let entities = entities
        var stack = [target]
        var source = entity.sourceClass
        // Each class occurs once, so that cycles of source classes end.
        while let current = source, !stack.contains(current) {
            stack.append(current)
            source = entities.first { $0.targetClass == current }?.sourceClass
        }
        return stack.reversed()
    }
}
