import LindenKernel
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("aGk/Pz4+", "hi??>>"), ("aGk_Pz4-", "hi??>>"), ("aGk/Pz4 ", "hi??>>".dropLast() + ">"), ("aGkh", "hi!"), ("aGk=", "hi"),
        ("aGk", "hi"),
        ("aGk=\n", "hi"), ("", ""), ("aG\r\nk\n=\r\n", "hi"), ("aGk%3D", "hi"), ("aGk%253D%250A", "hi"),
        ("aGk%252FPz4%252B", "hi??>>"),
    ])
    func damagedTextIsReadAllTheSame(text: String, decoded: String) {
        #expect(Base64.decode(text).map { String(decoding: $0, as: UTF8.self) } == decoded)
    }

    @Test(arguments: ["%", "a", "ä", "aGk*"])
    func whatIsNoBase64IsNone(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
