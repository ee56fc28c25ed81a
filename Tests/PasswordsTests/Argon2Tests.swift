import Foundation
import LindenKernel
import Testing

@testable import Passwords

@Suite struct Argon2Tests {
    private static let salt = Array("a salt of 16 by.".utf8)

    @Test func aHashNamesTheParametersThatOWASPRecommends() throws {
        let hash = try Argon2.hash("an orchard in bloom", salt: Self.salt)
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        let parts = hash.split(separator: "$")
        #expect(parts.count == 5)
        #expect(parts.last?.count == 43)
    }

    @Test func onlyTheSamePasswordMatches() throws {
        let hash = try Argon2.hash("an orchard in bloom", salt: Self.salt)
        #expect(try Argon2.matches("an orchard in bloom", hash: hash))
        for other in ["an orchard in Bloom", "an orchard in bloom ", "an orchard in bloo", ""] {
            #expect(try !Argon2.matches(other, hash: hash), "\(other)")
        }
    }

    /// The reference implementation's command line: `echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -e`, in its test.c.
    @Test func aHashOfTheReferenceImplementationMatches() throws {
        let hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        #expect(try Argon2.matches("password", hash: hash))
        #expect(try !Argon2.matches("differentpassword", hash: hash))
    }

    @Test(arguments: [
        "", "password", "$argon2id$", "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$AAAA", "$2b$10$abcdefghijklmnopqrstuv",
    ])
    func whatIsNoHashMatchesNothing(hash: String) throws {
        #expect(try !Argon2.matches("password", hash: hash))
        #expect(try !Argon2.matches("", hash: hash))
    }

    /// Otherwise it would be refused without any work, and the time would reveal which names exist.
    @Test func theDecoyIsAHashLikeAnyOther() throws {
        let hash = try Argon2.hash("an orchard in bloom", salt: Self.salt)
        func time(_ hash: String) throws -> Int {
            try (0..<5).map { _ in
                let begin = processorTime()
                _ = try Argon2.matches("password", hash: hash)
                return processorTime() - begin
            }.min()!
        }
        #expect(Argon2.decoy.count == hash.count)
        #expect(try time(Argon2.decoy) > time(hash) / 2)
    }

    /// The nanoseconds for which the thread has used a processor.
    private func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
