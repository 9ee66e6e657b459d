/// A number with commas between its thousands.
public func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
        groups.insert(digits.suffix(3), at: 0)
        digits.removeLast(3)
    }
    groups.insert(digits[...], at: 0)
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
}
