import SluiceRecords

/// The record that ends a zip, and says where its directory is. A zip that is cut has none at its end; of zips behind
/// one another, the last one's directory is not where it says: libarchive would read the last one alone, or the first.
///
/// Source: PKWARE, .ZIP File Format Specification 6.3.10, 4.3.14 to 4.3.16.
struct ZipEnd {
    private let name: String
    /// The last bytes of the zip.
    private let tail: [UInt8]
    /// Where these begin.
    private let base: Int

    /// Bytes from the end of a zip that may have to be looked at: the record with the longest comment, and before it,
    /// in a zip of more than 4 GiB, two more.
    static let longest = shortest + Int(UInt16.max) + locatorLength + 1024

    private static let shortest = 22
    private static let locatorLength = 20

    /// - Parameters:
    ///   - tail: the last bytes of the zip, `longest` of them or all.
    ///   - size: the bytes of the zip.
    init(_ tail: [UInt8], size: Int, named name: String) {
        self.name = name
        self.tail = tail
        base = size - tail.count
    }

    /// Throws where a file that begins as a zip is not one zip from its first byte to its last.
    func check() throws(Failure) {
        guard let place = place() else {
            throw Failure(
                .data,
                "\(name) is damaged or cut short: a zip ends with the place of its directory, and nothing behind it")
        }
        guard isWhole(place) else {
            throw Failure(
                .data,
                "\(name) is not a single zip, or is damaged: its directory is elsewhere than its end says, as where zips"
                    + " are put one behind the other")
        }
    }

    /// Where the record begins, in `tail`: its comment reaches to the end.
    private func place() -> Int? {
        guard tail.count >= ZipEnd.shortest else { return nil }
        return (0...tail.count - ZipEnd.shortest).reversed().first { place in
            isSignature(5, 6, place) && place + ZipEnd.shortest + number(place + 20, bytes: 2) == tail.count
        }
    }

    /// Whether the directory ends where the record begins, or that of a long zip.
    private func isWhole(_ place: Int) -> Bool {
        let locator = place - ZipEnd.locatorLength
        if locator >= 0, isSignature(6, 7, locator) {
            let end = number(locator + 8, bytes: 8)
            let long = end &- base
            guard long >= 0, long + 56 <= locator, isSignature(6, 6, long) else { return false }
            return number(long + 40, bytes: 8) &+ number(long + 48, bytes: 8) == end
        }
        // Some write zips of more than 4 GiB without the record for such.
        return UInt32(truncatingIfNeeded: number(place + 12, bytes: 4) + number(place + 16, bytes: 4))
            == UInt32(truncatingIfNeeded: base + place)
    }

    private func isSignature(_ first: UInt8, _ second: UInt8, _ place: Int) -> Bool {
        tail[place] == UInt8(ascii: "P") && tail[place + 1] == UInt8(ascii: "K") && tail[place + 2] == first
            && tail[place + 3] == second
    }

    private func number(_ place: Int, bytes: Int) -> Int {
        Int(truncatingIfNeeded: (0..<bytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(tail[place + $1]) })
    }
}
