import LindenServices

extension Progress {
    func show(_ step: ErasureStep) {
        switch step {
        case .search(let kind): show("Searching \(place(kind))")
        case .secondSearch(let kind): show("Searching again for what came in meanwhile, \(place(kind))")
        case .erasure(let rows): show("Erasing \(rows) rows")
        case .log: show("Emptying the database's log")
        }
    }

    private func place(_ kind: PersonalDataKind) -> String {
        let kinds = PersonalDataKind.allCases
        return "\((kinds.firstIndex(of: kind) ?? 0) + 1) of \(kinds.count): \(kind.rawValue)"
    }
}
