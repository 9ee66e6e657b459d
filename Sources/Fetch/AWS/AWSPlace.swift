import SluiceRecords

/// Where services of AWS, or those that speak like them, are.
package enum AWSPlace {
    /// The region that variables or the profile name.
    static func region(_ settings: FetchSettings) throws(Failure) -> String? {
        if let region = settings.variable("AWS_REGION") ?? settings.variable("AWS_DEFAULT_REGION") { return region }
        return try AWSProfile(settings)["region"]
    }

    /// The address of a service that speaks S3 and is not that of AWS itself.
    static func endpoint(_ settings: FetchSettings) throws(Failure) -> String? {
        var given = settings.variable("AWS_ENDPOINT_URL_S3") ?? settings.variable("AWS_ENDPOINT_URL")
        if given == nil { given = try AWSProfile(settings)["endpoint_url"] }
        guard let endpoint = given else { return nil }
        return endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    }
}
