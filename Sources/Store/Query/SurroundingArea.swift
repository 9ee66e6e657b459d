import Glibc

/// What is around a place on earth, taken for a sphere: a circle, and the degrees between which it lies.
package struct SurroundingArea: Sendable {
    /// The mean radius of the earth, in metres.
    static let radius = 6_371_008.8
    /// In degrees: what rounding may lose is far less.
    private static let slack = 1e-9

    package let latitude: Double
    package let longitude: Double
    /// In metres.
    package let distance: Double

    /// Nil: it is no place on earth, or no distance.
    init?(latitude: Double, longitude: Double, within distance: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180, distance >= 0 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.distance = distance
    }

    /// How far a place is, in metres, along a great circle.
    func distance(toLatitude other: Double, _ otherLongitude: Double) -> Double {
        let (north, east) = (other - latitude, otherLongitude - longitude)
        let half = (sine(north / 2), sine(east / 2))
        let part = half.0 * half.0 + cosine(latitude) * cosine(other) * half.1 * half.1
        return 2 * SurroundingArea.radius * asin(min(1, part.squareRoot()))
    }

    private func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }

    private func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

    /// The radius in degrees of a great circle.
    private var degrees: Double { min(180, distance / SurroundingArea.radius * 180 / .pi) + SurroundingArea.slack }

    var latitudes: ClosedRange<Double> { max(-90, latitude - degrees)...min(90, latitude + degrees) }

    /// One range; two where the circle crosses the line of the date. A circle with a pole in it has all.
    var longitudes: [ClosedRange<Double>] {
        if abs(latitude) + degrees >= 90 { return [-180...180] }
        // Where meridians touch the circle.
        let width = asin(min(1, sine(degrees) / cosine(latitude))) * 180 / .pi + SurroundingArea.slack
        let (west, east) = (longitude - width, longitude + width)
        if west < -180 { return [-180...east, west + 360...180] }
        if east > 180 { return [west...180, -180...east - 360] }
        return [west...east]
    }
}
