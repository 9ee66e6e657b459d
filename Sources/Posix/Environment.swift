import Glibc

/// A variable of the environment; nil where it is not set.
package func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
