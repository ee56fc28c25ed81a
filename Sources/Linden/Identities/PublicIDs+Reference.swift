import LindenKernel

// The entities whose public ids are credentials of SDKs. A click's id is none: it is part of addresses.
extension Session: ReferencedEntity { package static let referencePrefix = "session_" }
extension Device: ReferencedEntity { package static let referencePrefix = "device_" }
extension Identity: ReferencedEntity { package static let referencePrefix = "identity_" }
