import Foundation
import Linden
import LindenKernel
import Logging
import ServiceLifecycle

/// The lookups of addresses that read the operator's files: country, and class of the network.
struct AddressSources {
    let country: CountryLookup
    let addressClass: AddressClassLookup
    /// Services that reload the files; they run beside the server.
    let services: [any Service]

    /// Opens the files. Fails with one line that names the setting if a file cannot be used.
    init(_ settings: Settings, logger: Logger) throws {
        let countries = try NetworkFileSource.countries(path: settings.countryFile, logger: logger)
        let owners = try NetworkFileSource.owners(path: settings.ownerFile, logger: logger)
        let classifier = AddressClassifier(
            sharedNetworks: try settings.sharedRangesFile.map(Self.networks) ?? NetworkSet([]), sharedOwners: settings.sharedOwners,
            owner: owners.lookup)
        country = countries.lookup
        addressClass = { classifier.addressClass(of: $0) }
        services = countries.services + owners.services
    }

    private static func networks(ofFile path: String) throws -> NetworkSet {
        guard let list = FileManager.default.contents(atPath: path) else {
            throw Failure.setting("attribution.shared_ranges", path, "must be a file that can be read")
        }
        do {
            return try NetworkSet(list: Array(list))
        } catch let failure as Failure {
            throw Failure.setting("attribution.shared_ranges", path, failure.message)
        }
    }
}
