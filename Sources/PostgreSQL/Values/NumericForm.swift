import SluiceRecords

/// Decimals: digits with a point as the server's groups of four digits, and back.
enum NumericForm {
    private static let positive: Int16 = 0
    private static let negative: Int16 = 0x4000

    /// Appends a canonical decimal (`-12.50`) as a field.
    static func append(_ text: UnsafePointer<UInt8>, _ count: Int, to buffer: inout ByteBuffer) {
        let isNegative = unsafe count > 0 && text[0] == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var point = start
        while point < count, unsafe text[point] != UInt8(ascii: ".") { point += 1 }
        let scale = max(0, count - point - 1)
        /// The digit at a place: 0 and up before the point, counted from it; below 0 behind it.
        func digit(_ place: Int) -> Int16 {
            let index = place >= 0 ? point - 1 - place : point - place
            guard index >= start, index < count else { return 0 }
            return Int16(unsafe text[index] &- UInt8(ascii: "0"))
        }
        func group(_ weight: Int) -> Int16 {
            let low = weight * 4
            return ((digit(low + 3) * 10 + digit(low + 2)) * 10 + digit(low + 1)) * 10 + digit(low)
        }
        var (highest, lowest) = ((point - start + 3) / 4 - 1, -((scale + 3) / 4))
        while highest >= lowest, group(highest) == 0 { highest -= 1 }
        while lowest < highest, group(lowest) == 0 { lowest += 1 }
        let groups = max(0, highest - lowest + 1)
        buffer.append(Int32(8 + 2 * groups))
        buffer.append(Int16(groups))
        buffer.append(Int16(groups == 0 ? 0 : highest))
        buffer.append(isNegative && groups > 0 ? negative : positive)
        buffer.append(Int16(scale))
        for weight in stride(from: highest, through: lowest, by: -1) { buffer.append(group(weight)) }
    }

    /// Nil: it is no finite number.
    static func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String? {
        func short(_ index: Int) -> Int {
            unsafe Int(Int16(bigEndian: UnsafeRawPointer(bytes + 2 * index).loadUnaligned(as: Int16.self)))
        }
        guard count >= 8, count == 8 + 2 * short(0) else { return nil }
        let (groups, weight, sign, scale) = (short(0), short(1), short(2), short(3))
        guard sign == Int(positive) || sign == Int(negative) else { return nil }
        /// Four digits.
        func group(_ wanted: Int) -> String {
            let index = weight - wanted
            let digits = String(index >= 0 && index < groups ? short(4 + index) : 0)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        var whole = stride(from: weight, through: 0, by: -1).map(group).joined()
        whole = String(whole.drop { $0 == "0" })
        let fraction = (0..<(scale + 3) / 4).map { group(-1 - $0) }.joined().prefix(scale)
        let number = (whole.isEmpty ? "0" : whole) + (scale > 0 ? "." + fraction : "")
        return sign == Int(negative) ? "-" + number : number
    }
}
