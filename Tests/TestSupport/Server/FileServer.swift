import Foundation

/// Serves a folder: nginx, with TLS by an authority of the tests' own, gzip, ranges and basic auth.
///
/// Below `/private/` it asks for the user `reader` with the password `open sesame`.
package final class FileServer {
    /// Without TLS.
    package let url: String
    /// With TLS.
    package let secureURL: String
    /// The authority's certificate, as `SSL_CERT_FILE` takes it.
    package let authority: String
    private let folder: URL
    private let process: Process
    // Held, so that the server lives as long.
    private let life: Pipe

    /// Why the server does not start.
    package struct Unavailable: Error {
        package var reason: String
    }

    package init(_ root: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sluice-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = folder.appending(path: "authority.pem").path
        try FileServer.run(["sh", "-c", FileServer.certificates], in: folder)
        let ports = try FileServer.freePorts()
        url = "http://127.0.0.1:\(ports.plain)"
        secureURL = "https://localhost:\(ports.secure)"
        let configuration = FileServer.configuration(root, folder.path, ports.plain, ports.secure)
        try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
        process = Process()
        life = Pipe()
        let path = ["/usr/sbin/nginx", "/usr/bin/nginx"].first { FileManager.default.isExecutableFile(atPath: $0) }
        // The server ends when the pipe does: with this object, or with the process, however that ends.
        let program = "\"$0\" -p . -c nginx.conf -e error.log & cat; kill $!; wait"
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", program, path ?? "nginx"]
        process.currentDirectoryURL = folder
        process.standardInput = life
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilItAnswers()
    }

    deinit {
        try? life.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private func waitUntilItAnswers() throws {
        for _ in 0..<500 {
            if (try? FileServer.run(["curl", "-s", "-o", "/dev/null", "--noproxy", "*", url], in: folder)) != nil {
                return
            }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        throw Unavailable(reason: "nginx does not answer")
    }

    @discardableResult
    private static func run(_ words: [String], in folder: URL) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Unavailable(reason: words.joined(separator: " ")) }
        return data
    }

    /// Two ports that nobody listens at.
    private static func freePorts() throws -> (plain: Int, secure: Int) {
        let program = """
            import socket
            a, b = socket.socket(), socket.socket()
            a.bind(("127.0.0.1", 0)); b.bind(("127.0.0.1", 0))
            print(a.getsockname()[1], b.getsockname()[1])
            """
        let output = try run(["python3", "-c", program], in: URL(filePath: "/"))
        let numbers = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap {
            Int($0)
        }
        guard numbers.count == 2 else { throw Unavailable(reason: "no free port") }
        return (numbers[0], numbers[1])
    }

    /// An authority, and a certificate by it for `localhost`.
    private static let certificates = """
        set -e
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out authority.pem \
          -days 2 -subj "/CN=Sluice test authority"
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout server.key -out server.csr \
          -subj "/CN=localhost"
        printf 'subjectAltName=DNS:localhost\\n' > extensions
        openssl x509 -req -in server.csr -CA authority.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 \
          -extfile extensions
        printf 'reader:%s\\n' "$(openssl passwd -apr1 'open sesame')" > passwords
        """

    private static func configuration(_ root: String, _ folder: String, _ plain: Int, _ secure: Int) -> String {
        """
        daemon off;
        worker_processes 1;
        pid \(folder)/nginx.pid;
        error_log \(folder)/error.log;
        \(getuid() == 0 ? "user root;" : "")
        events { worker_connections 64; }
        http {
          access_log off;
          types { application/json json; application/x-ndjson ndjson; text/html html; }
          default_type application/octet-stream;
          client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2; fastcgi_temp_path \(folder)/t3;
          uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
          gzip on; gzip_types application/json; gzip_comp_level 1;
          server {
            listen 127.0.0.1:\(plain);
            listen 127.0.0.1:\(secure) ssl;
            ssl_certificate \(folder)/server.pem;
            ssl_certificate_key \(folder)/server.key;
            root \(root);
            location /private/ { auth_basic "x"; auth_basic_user_file \(folder)/passwords; alias \(root)/; }
          }
        }
        """
    }
}
