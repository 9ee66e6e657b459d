import CSluiceCurl

/// A date of HTTP (RFC 9110, section 5.6.7) as seconds since 1970; nil if it is none.
func httpDate(_ text: String) -> Int? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds < 0 ? nil : seconds
}
