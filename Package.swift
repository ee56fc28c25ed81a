// swift-tools-version: 6.1

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "linden",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "linden", targets: ["LindenCommand"]),
        .library(name: "LinkRouting", targets: ["LinkRouting"]),
    ],
    traits: [
        // Features that need a C library besides libsqlite3 are optional: --disable-default-traits.
        .trait(name: "QR", description: "QR codes of links, by libqrencode, libpng and libjpeg-turbo."),
        .trait(name: "Country", description: "Countries and network owners of visitors, by libmaxminddb."),
        .trait(name: "Gzip", description: "Exports that are packed, by zlib."),
        .default(enabledTraits: ["QR", "Country", "Gzip"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: [.defaults, "YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Routing, without side effects: link data, app settings and device give a destination.
        .target(name: "LinkRouting", swiftSettings: settings),

        // Routing vectors: test cases of the pattern languages with their expected results.
        .target(name: "RouteVectors", dependencies: ["LinkRouting"], swiftSettings: settings),

        // The domain: Linden's data and rules, without HTTP and SQL.
        .target(
            name: "Linden",
            dependencies: [
                "LinkRouting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),

        // Branch's JSON formats.
        .target(
            name: "BranchWire",
            dependencies: ["Linden", "LinkRouting", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),

        // Storage: one SQL text, its migrations, and a driver for each engine.
        .target(
            name: "Migrations",
            path: "Migrations",
            resources: [.embedInCode("SQL")],
            swiftSettings: settings
        ),
        .target(
            name: "SQLStorage",
            dependencies: ["Linden", "LinkRouting", "Migrations", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(
            name: "SQLiteStorage",
            dependencies: [
                "CSQLite", "SQLStorage", "Linden", .product(name: "Logging", package: "swift-log"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),

        // HTTP clients: one for untrusted URLs, which never connects to a private address, and one for the operator's hosts.
        .target(
            name: "OutgoingHTTP",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),

        // QR codes as images: text and style in, bytes out.
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
        .target(name: "QRCodes", dependencies: ["CQREncode", "CPNG", "CJPEG"], swiftSettings: settings),

        // Countries and owners of networks, from databases that the operator supplies.
        .systemLibrary(
            name: "CMaxMindDB", pkgConfig: "libmaxminddb", providers: [.apt(["libmaxminddb-dev"]), .brew(["libmaxminddb"])]),
        .target(name: "MaxMindDB", dependencies: ["CMaxMindDB"], swiftSettings: settings),

        // Gzip compression of exports.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: settings),

        // Interfaces: pages, HTTP and the command line.
        .target(
            name: "Pages",
            dependencies: [
                "Linden", "LinkRouting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [
                .embedInCode("Templates/page.mustache"),
                .embedInCode("Templates/style.css"),
                .embedInCode("Templates/open.js"),
                .embedInCode("Languages/en.json"),
                .embedInCode("Languages/de.json"),
                .embedInCode("Languages/fr.json"),
                .embedInCode("Languages/es.json"),
                .embedInCode("Languages/pt.json"),
                .embedInCode("Languages/ja.json"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Server",
            dependencies: [
                "BranchWire", "Linden", "LinkRouting", "OutgoingHTTP", "Pages",
                .target(name: "Gzip", condition: .when(traits: ["Gzip"])),
                .target(name: "QRCodes", condition: .when(traits: ["QR"])),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("OpenAPI/openapi.yaml")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "LindenCommand",
            dependencies: [
                "BranchWire", "Linden", "LinkRouting", "OutgoingHTTP", "RouteVectors", "SQLStorage", "SQLiteStorage", "Server",
                .target(name: "Gzip", condition: .when(traits: ["Gzip"])),
                .target(name: "MaxMindDB", condition: .when(traits: ["Country"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                "Yams",
            ],
            swiftSettings: settings
        ),

        // Benchmarks, see Benchmarks/README.md.
        .executableTarget(
            name: "AccuracyBenchmark",
            dependencies: ["Linden", "LinkRouting", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Benchmarks/Accuracy",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "AttributionBenchmark",
            dependencies: [
                "BranchWire", "Linden", "SQLiteStorage", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/Attribution",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "LedgerBenchmark",
            dependencies: ["Linden", "SQLiteStorage", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Benchmarks/Ledger",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "BareServer",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log")],
            path: "Benchmarks/BareServer",
            swiftSettings: settings
        ),

        // Parsers under libFuzzer, see Scripts/fuzz.sh.
        .executableTarget(
            name: "ParserFuzzer",
            dependencies: ["BranchWire", "Linden", "LinkRouting"],
            path: "Benchmarks/Fuzz",
            exclude: ["corpus"],
            swiftSettings: settings
        ),

        // Tests. Shared helpers are in LindenTesting; the end-to-end tests are Python, run against the built binary.
        .target(
            name: "LindenTesting",
            dependencies: [
                "Linden", "OutgoingHTTP", "SQLiteStorage", "SQLStorage", "Server",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/LindenTesting",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinkRoutingTests", dependencies: ["LinkRouting", "RouteVectors"], exclude: ["Vectors/routing.json"],
            swiftSettings: settings),
        .testTarget(
            name: "LindenTests",
            dependencies: [
                "Linden", "LinkRouting", "SQLStorage", "SQLiteStorage", "LindenTesting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OutgoingHTTPTests",
            dependencies: [
                "OutgoingHTTP",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "QRCodesTests", dependencies: ["QRCodes", "CPNG", "CJPEG", "LindenTesting"], swiftSettings: settings),
        .testTarget(name: "MaxMindDBTests", dependencies: ["MaxMindDB", "Linden", "LindenTesting"], swiftSettings: settings),
        .testTarget(
            name: "AccuracyBenchmarkTests", dependencies: ["AccuracyBenchmark", "Linden", "LinkRouting"], swiftSettings: settings),
        .testTarget(name: "PagesTests", dependencies: ["Pages", "Linden"], swiftSettings: settings),
        .testTarget(name: "BranchWireTests", dependencies: ["BranchWire", "Linden", "LindenTesting"], swiftSettings: settings),
        .testTarget(
            name: "SQLiteStorageTests",
            dependencies: ["SQLiteStorage", "SQLStorage", "Migrations", "Linden", "LinkRouting", "LindenTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Server", "MaxMindDB", "Linden", "LindenTesting", "LinkRouting", "OutgoingHTTP", "SQLStorage", "SQLiteStorage",
                "Yams",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ],
            exclude: ["Exchanges"],
            swiftSettings: settings
        ),
    ]
)
