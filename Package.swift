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
        .library(name: "RoutePatterns", targets: ["RoutePatterns"]),
    ],
    traits: [
        // Features that need a C library besides libsqlite3 are optional: --disable-default-traits.
        .trait(name: "QR", description: "QR codes of links, by libqrencode, libpng and libjpeg-turbo."),
        .trait(name: "Country", description: "Countries and network owners of visitors, by libmaxminddb."),
        .trait(name: "Gzip", description: "Gzip compression of exports and of the dashboard's pages, by zlib."),
        .trait(name: "Passwords", description: "Passwords of the dashboard's users, by libargon2."),
        .trait(name: "PostgreSQL", description: "Databases on PostgreSQL, by libpq."),
        .default(enabledTraits: ["QR", "Country", "Gzip", "Passwords", "PostgreSQL"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: [.defaults, "YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // Routing, without side effects: link data, app settings and device give a destination.
        .target(name: "LinkRouting", swiftSettings: settings),

        // The pattern languages of app routes: which URLs open which app.
        .target(name: "RoutePatterns", dependencies: ["LinkRouting"], swiftSettings: settings),

        // Routing vectors: test cases of the pattern languages with their expected results.
        .target(name: "RouteVectors", dependencies: ["RoutePatterns"], swiftSettings: settings),

        // The functions of the C library's allocator that Swift's module of it lacks.
        .systemLibrary(name: "CAllocator"),

        // Values without a domain: identifiers, time, JSON, money, addresses, failures.
        .target(
            name: "LindenKernel",
            dependencies: [
                "CAllocator", "LinkRouting",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),

        // The domain: apps, links, clicks, sessions, attribution, identities, events; without HTTP and SQL.
        .target(
            name: "Linden",
            dependencies: [
                "LindenKernel",
                "LinkRouting", "RoutePatterns",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),

        // Credits, reward rules, referral codes, and fraud signals.
        .target(
            name: "LindenLedger",
            dependencies: [
                "Linden",
                "LindenKernel",
                "LinkRouting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),

        // What reads the data back: analytics, exports, statistics, replays.
        .target(
            name: "LindenReporting",
            dependencies: [
                "Linden",
                "LindenKernel",
                "LinkRouting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),

        // All services on one database, and what works across the modules: maintenance, privacy, verification, limits, checks.
        .target(
            name: "LindenServices",
            dependencies: [
                "Linden",
                "LindenKernel",
                "LindenLedger",
                "LindenReporting",
                "LinkRouting", "RoutePatterns",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),

        // Branch's JSON formats.
        .target(
            name: "BranchWire",
            dependencies: [
                "Linden", "LindenKernel", "LindenLedger", "LindenReporting", "LinkRouting",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),

        // The own views of domain values, as JSON, CSV and QR codes, for the command line, the own HTTP API and the dashboard.
        .target(
            name: "LindenAPI",
            dependencies: [
                "Linden", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices", "BranchWire", "LinkRouting",
                "RoutePatterns",
                .target(name: "QRCodes", condition: .when(traits: ["QR"])),
            ],
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
            dependencies: [
                "Linden", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices", "LinkRouting", "RoutePatterns",
                "Migrations",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(
            name: "SQLiteStorage",
            dependencies: [
                "Linden", "LindenKernel", "LindenServices", "CSQLite", "SQLStorage",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),

        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "PostgresStorage",
            dependencies: [
                "Linden", "LindenKernel", "LindenServices", "CPostgres", "SQLStorage",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),

        // Metrics in Prometheus' text format, behind the interface of swift-metrics.
        .target(
            name: "PrometheusMetrics",
            dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: settings
        ),

        // Traces of requests, for a collector of OpenTelemetry.
        .target(
            name: "Traces", dependencies: ["Linden", "LindenKernel", "LindenServices", "LinkRouting"], swiftSettings: settings),

        // HTTP clients: one for untrusted URLs, which never connects to a private address, and one for the operator's hosts.
        .target(
            name: "OutgoingHTTP",
            dependencies: [
                "LindenKernel", "LinkRouting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),

        // Sign-in to the dashboard by an OpenID provider.
        .target(
            name: "OpenID",
            dependencies: [
                "Linden", "LindenKernel", "LindenServices", "LinkRouting", "OutgoingHTTP",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
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

        // Gzip compression of exports and of the dashboard's pages.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: settings),

        // Hashes of the passwords of the dashboard's users.
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"]), .brew(["argon2"])]),
        .target(
            name: "Passwords",
            dependencies: ["CArgon2", "LindenKernel", "LindenServices", .product(name: "NIOPosix", package: "swift-nio")],
            swiftSettings: settings
        ),

        // Interfaces: pages, HTTP and the command line.
        .target(
            name: "Pages",
            dependencies: [
                "Linden", "LindenKernel", "LinkRouting",
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
            name: "Dashboard",
            dependencies: [
                "BranchWire", "Linden", "LindenAPI", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices",
                "LinkRouting", "Pages",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [
                .embedInCode("Templates/layout.mustache"),
                .embedInCode("Templates/block.mustache"),
                .embedInCode("Templates/table.mustache"),
                .embedInCode("Templates/form.mustache"),
                .embedInCode("Templates/cell.mustache"),
                .embedInCode("Templates/preview.mustache"),
                .embedInCode("Templates/dashboard.css"),
                .embedInCode("Templates/copy.js"),
                .embedInCode("Templates/keys.js"),
                .embedInCode("Templates/live.js"),
                .embedInCode("Templates/preview.js"),
                .embedInCode("Templates/times.js"),
            ],
            swiftSettings: settings
        ),

        // The connections of the HTTP server: what parses and limits requests before they are routed.
        .target(
            name: "Connections",
            dependencies: [
                "BranchWire", "LindenKernel", "LindenServices", "LinkRouting",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),

        .target(
            name: "Server",
            dependencies: [
                "Connections", "Dashboard", "Linden", "LindenAPI", "LindenKernel", "LindenLedger", "LindenReporting",
                "LindenServices",
                "BranchWire",
                "LinkRouting", "OutgoingHTTP", "Pages", "PrometheusMetrics", "RoutePatterns", "Traces",
                .target(name: "Gzip", condition: .when(traits: ["Gzip"])),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
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
                "Linden", "LindenAPI", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices", "BranchWire",
                "LinkRouting", "RoutePatterns", "Connections",
                "OpenID", "OutgoingHTTP", "PrometheusMetrics", "RouteVectors", "SQLStorage", "SQLiteStorage", "Server", "Traces",
                .target(name: "Gzip", condition: .when(traits: ["Gzip"])),
                .target(name: "MaxMindDB", condition: .when(traits: ["Country"])),
                .target(name: "Passwords", condition: .when(traits: ["Passwords"])),
                .target(name: "PostgresStorage", condition: .when(traits: ["PostgreSQL"])),
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
            dependencies: [
                "Linden", "LindenKernel", "LinkRouting", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/Accuracy",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "AttributionBenchmark",
            dependencies: [
                "Linden", "LindenKernel", "LindenServices", "BranchWire", "SQLiteStorage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/Attribution",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "LedgerBenchmark",
            dependencies: [
                "Linden", "LindenKernel", "LindenLedger", "LindenServices", "SQLiteStorage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
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
            dependencies: ["Linden", "LindenKernel", "BranchWire", "LinkRouting", "RoutePatterns"],
            path: "Benchmarks/Fuzz",
            exclude: ["corpus"],
            swiftSettings: settings
        ),

        // Tests. Shared helpers are in LindenTesting; the end-to-end tests are Python, run against the built binary.
        .target(
            name: "LindenTesting",
            dependencies: [
                "Linden", "LindenKernel", "LindenReporting", "LindenServices", "OutgoingHTTP", "Passwords", "SQLiteStorage",
                "CPostgres", "PostgresStorage", "SQLStorage", "Server",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/LindenTesting",
            swiftSettings: settings
        ),
        .testTarget(name: "LinkRoutingTests", dependencies: ["LinkRouting"], swiftSettings: settings),
        .testTarget(
            name: "RoutePatternsTests", dependencies: ["LinkRouting", "RoutePatterns", "RouteVectors"],
            exclude: ["Vectors/routing.json"], swiftSettings: settings),
        .testTarget(
            name: "LindenTests",
            dependencies: [
                "Linden", "LindenAPI", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices", "LinkRouting",
                "RoutePatterns",
                "SQLStorage",
                "SQLiteStorage", "LindenTesting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OutgoingHTTPTests",
            dependencies: [
                "LindenKernel", "LindenTesting", "OutgoingHTTP",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OpenIDTests",
            dependencies: [
                "LindenKernel", "LindenServices", "OpenID",
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "QRCodesTests", dependencies: ["QRCodes", "CPNG", "CJPEG", "LindenTesting"], swiftSettings: settings),
        .testTarget(name: "MaxMindDBTests", dependencies: ["LindenKernel", "MaxMindDB", "LindenTesting"], swiftSettings: settings),
        .testTarget(
            name: "PasswordsTests", dependencies: ["LindenKernel", "LindenServices", "Passwords"], swiftSettings: settings),
        .testTarget(
            name: "AccuracyBenchmarkTests", dependencies: ["LindenKernel", "AccuracyBenchmark", "LinkRouting"],
            swiftSettings: settings),
        .testTarget(
            name: "DashboardTests",
            dependencies: ["Dashboard", "Linden", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices", "Pages"],
            swiftSettings: settings),
        .testTarget(name: "PagesTests", dependencies: ["Linden", "LindenKernel", "Pages"], swiftSettings: settings),
        .testTarget(
            name: "BranchWireTests",
            dependencies: ["Linden", "LindenKernel", "LindenReporting", "LindenServices", "BranchWire", "LindenTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "LindenAPITests",
            dependencies: [
                "Linden", "LindenAPI", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices", "LindenTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SQLiteStorageTests",
            dependencies: [
                "Linden", "LindenKernel", "LindenLedger", "LindenReporting", "LindenServices", "SQLiteStorage", "SQLStorage",
                "Migrations", "LinkRouting", "RoutePatterns", "LindenTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PostgresStorageTests",
            dependencies: [
                "Linden", "LindenKernel", "LindenServices", "PostgresStorage", "SQLStorage", "SQLiteStorage", "LindenTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Traces",
                "Connections", "Dashboard", "Linden", "LindenAPI", "LindenKernel", "LindenLedger", "LindenReporting",
                "LindenServices", "Server",
                "MaxMindDB", "PrometheusMetrics",
                "LindenTesting", "LinkRouting", "RoutePatterns", "OutgoingHTTP", "SQLStorage", "SQLiteStorage",
                "Yams",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Exchanges"],
            swiftSettings: settings
        ),
    ]
)
