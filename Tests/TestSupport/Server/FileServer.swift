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
    private let program: HeldProgram

    package init(_ root: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = folder.appending(path: "authority.pem").path
        let ports = try HeldProgram.freePorts(2)
        url = "http://127.0.0.1:\(ports[0])"
        secureURL = "https://localhost:\(ports[1])"
        let configuration = FileServer.configuration(root, folder.path, ports[0], ports[1])
        try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
        program = try HeldProgram(
            in: folder,
            """
            \(FileServer.certificates)
            PATH="$PATH:/usr/sbin"
            nginx -p . -c nginx.conf -e error.log
            """)
        try program.wait { [url] in
            (try? HeldProgram.run(["curl", "-s", "-o", "/dev/null", "--noproxy", "*", url])) != nil
        }
    }

    /// An authority, and a certificate by it for `localhost`.
    private static let certificates = """
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
