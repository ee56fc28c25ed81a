extension WAAppEntity {
    /// Returns the entities of a registration string, `list{ListController}/:itemID{DetailController}!`: one for each component, with the
    /// path up to it. Its source is the nearest earlier component with a class; `!` after the braces presents modally.
    ///
    /// The string ends at its first empty component, as in WAAppRouting: a trailing slash is harmless, a leading one registers nothing.
    public static func entities(registering registration: String) throws(RouteSyntaxError) -> [WAAppEntity] {
        try RouteSyntaxError.checkLength(of: registration, named: "the registration")
        var entities: [WAAppEntity] = []
        var path: [String] = []
        var source: String?
        let components = registration.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for component in components.prefix(while: { !$0.isEmpty }) {
            let (name, targetClass, isModal) = try read(String(Substring(component)), of: registration)
            try WAAppPattern.check(component: name, in: registration)
            path.append(name)
            entities.append(
                WAAppEntity(
                    path: path.joined(separator: "/"), targetClass: targetClass, sourceClass: source,
                    isModal: isModal))
            source = targetClass ?? source
        }
        return entities
    }

    private static func read(
        _ component: String, of registration: String
    ) throws(RouteSyntaxError) -> (name: String, targetClass: String?, isModal: Bool) {
        guard component.contains("{") || component.contains("}") else { return (component, nil, false) }
        let isModal = component.hasSuffix("!")
        let braced = isModal ? component.dropLast() : component[...]
        let pieces = braced.split(separator: "{", omittingEmptySubsequences: false)
        guard pieces.count == 2, pieces[1].hasSuffix("}"), pieces[1].count(where: { $0 == "}" }) == 1, !pieces[0].contains("}")
        else {
            throw RouteSyntaxError(
                .unbalancedBraces,
                "the braces of '\(component)' in '\(registration)' do not pair; a class is written {ClassName}, with ! for a modal")
        }
        guard pieces[1].count > 1 else {
            throw RouteSyntaxError(.badName, "'\(component)' in '\(registration)' names no class between its braces")
        }
        return (String(pieces[0]), String(pieces[1].dropLast()), isModal)
    }
}
