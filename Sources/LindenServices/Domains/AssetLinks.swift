import LindenKernel

/// An `assetlinks.json` file, parsed as Android does for links: the apps it names and their signing certificates.
package struct AssetLinks {
    /// SHA-256 fingerprints of the certificates by package name.
    package let fingerprints: [String: Set<String>]

    static let relation = "delegate_permission/common.handle_all_urls"

    /// Fails with `invalid`. The message is a predicate whose subject is the file.
    package init(_ bytes: [UInt8]) throws(Failure) {
        let root: JSON
        do {
            root = try JSON.parse(bytes, within: .untrusted)
        } catch {
            throw .invalid("is not JSON: \(error).")
        }
        guard let statements = root.array else { throw .invalid("is not a JSON array of statements but \(root.kind).") }
        var fingerprints: [String: Set<String>] = [:]
        for statement in statements {
            guard let statement = statement.object else { throw .invalid("has a statement that is not an object.") }
            // A statement may be an include of another file, which is not followed.
            guard statement["include"] == nil else { continue }
            guard let relations = statement["relation"]?.array, let target = statement["target"]?.object else {
                throw .invalid("has a statement without relation or target.")
            }
            guard relations.contains(.string(AssetLinks.relation)), target["namespace"] == "android_app",
                let package = target["package_name"]?.string
            else { continue }
            let texts = target["sha256_cert_fingerprints"]?.array?.compactMap(\.string) ?? []
            fingerprints[package, default: []].formUnion(texts)
        }
        self.fingerprints = fingerprints
    }
}
