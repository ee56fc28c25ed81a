/// Tells which country an address is in, by an ISO 3166 code of two letters; nil if nobody knows. It is asked for every click, so it must
/// not wait for anything.
package typealias CountryLookup = @Sendable (ClientAddress) -> String?
