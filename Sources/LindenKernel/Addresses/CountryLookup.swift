/// Returns the country of an address as a two-letter ISO 3166 code; nil if it is unknown. Called for every click, so it must not block.
package typealias CountryLookup = @Sendable (ClientAddress) -> String?
