//! The checks that come before routing. A web page in the player's browser can reach every port of this machine, so loopback
//! alone protects nothing: the `Host` must be ours (against DNS rebinding) and a browser's page must be ours too.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};

/// Under which names the server answers.
#[derive(Debug, Clone)]
pub struct Hosts {
    port: u16,
    /// Bound to addresses beyond loopback: then any IP literal is a good name. A page cannot rebind one.
    open: bool,
}

/// A request that is refused before it is routed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// HTTP status.
    pub status: StatusCode,
    /// For people.
    pub message: &'static str,
}

const fn refuse(status: StatusCode, message: &'static str) -> Result<(), Refusal> {
    Err(Refusal { status, message })
}

impl Hosts {
    /// The names for a server bound to this address.
    pub fn new(bound: SocketAddr) -> Hosts {
        Hosts {
            port: bound.port(),
            open: !bound.ip().is_loopback(),
        }
    }

    /// Whether `name:port` means this server.
    fn know(&self, authority: &str) -> bool {
        let (name, port) = match authority.rsplit_once(':') {
            // The colons of a bare `[::1]` are not a port.
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (authority, Some(80)),
        };
        let literal = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
            .unwrap_or(name);
        let good = name.eq_ignore_ascii_case("localhost")
            || matches!(name, "127.0.0.1" | "[::1]")
            || (self.open && literal.parse::<IpAddr>().is_ok());
        good && port == Some(self.port)
    }

    /// Looks at the head of a request.
    ///
    /// # Errors
    /// A foreign or missing host, a foreign page, or a preflight.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        if uri.authority().is_some_and(|authority| !self.know(authority.as_str())) {
            return refuse(StatusCode::FORBIDDEN, "this host name is not served here");
        }
        let mut hosts = headers.get_all(header::HOST).iter();
        match (hosts.next().map(|host| host.to_str()), hosts.next()) {
            (Some(Ok(host)), None) if self.know(host) => {}
            _ => return refuse(StatusCode::FORBIDDEN, "the Host header must be 127.0.0.1 and this port"),
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next().map(|origin| origin.to_str()), origins.next()) {
            // A program, not a page.
            (None, _) => {}
            (Some(Ok(origin)), None) if origin.strip_prefix("http://").is_some_and(|origin| self.know(origin)) => {}
            _ => return refuse(StatusCode::FORBIDDEN, "pages of other sites have no access"),
        }
        static FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
        if headers
            .get_all(&FETCH_SITE)
            .iter()
            .any(|site| site != "same-origin" && site != "none")
        {
            return refuse(StatusCode::FORBIDDEN, "pages of other sites have no access");
        }
        if method == Method::OPTIONS {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "no cross-origin requests here");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bound: &str, method: Method, headers: &[(&'static str, &str)]) -> u16 {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
            .collect();
        Hosts::new(bound.parse().unwrap())
            .check(&method, &Uri::from_static("/ws"), &headers)
            .map_or_else(|refusal| refusal.status.as_u16(), |()| 200)
    }

    #[test]
    fn hosts() {
        for (bound, host, expected) in [
            ("127.0.0.1:5000", "127.0.0.1:5000", 200),
            ("127.0.0.1:5000", "localhost:5000", 200),
            ("127.0.0.1:5000", "LOCALHOST:5000", 200),
            ("127.0.0.1:5000", "[::1]:5000", 200),
            ("127.0.0.1:80", "127.0.0.1", 200),
            ("127.0.0.1:80", "[::1]", 200),
            ("127.0.0.1:5000", "127.0.0.1", 403),
            ("127.0.0.1:5000", "127.0.0.1:5001", 403),
            ("127.0.0.1:5000", "127.0.0.1:99999", 403),
            ("127.0.0.1:5000", "evil.example:5000", 403),
            ("127.0.0.1:5000", "127.0.0.1.evil.example:5000", 403),
            ("127.0.0.1:5000", "localhost.evil.example:5000", 403),
            ("127.0.0.1:5000", "evil.example:5000@127.0.0.1:5000", 403),
            ("127.0.0.1:5000", "192.168.1.7:5000", 403),
            ("127.0.0.1:5000", "", 403),
            ("0.0.0.0:5000", "192.168.1.7:5000", 200),
            ("0.0.0.0:5000", "[fe80::1]:5000", 200),
            ("0.0.0.0:5000", "evil.example:5000", 403),
        ] {
            assert_eq!(check(bound, Method::GET, &[("host", host)]), expected, "{bound} {host}");
        }
        assert_eq!(check("127.0.0.1:5000", Method::GET, &[]), 403);
        let twice = [("host", "127.0.0.1:5000"), ("host", "evil.example")];
        let headers: HeaderMap =
            HeaderMap::from_iter(twice.map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())));
        // `collect` into a map keeps the last one; appending keeps both, as a server sees them.
        let mut both = headers.clone();
        both.append(header::HOST, "127.0.0.1:5000".parse().unwrap());
        let hosts = Hosts::new("127.0.0.1:5000".parse().unwrap());
        assert!(hosts.check(&Method::GET, &Uri::from_static("/"), &both).is_err());
    }

    #[test]
    fn pages() {
        let host = ("host", "127.0.0.1:5000");
        for (name, value, expected) in [
            ("origin", "http://127.0.0.1:5000", 200),
            ("origin", "http://localhost:5000", 200),
            ("origin", "http://127.0.0.1:5001", 403),
            ("origin", "https://127.0.0.1:5000", 403),
            ("origin", "https://evil.example", 403),
            ("origin", "null", 403),
            ("origin", "", 403),
            ("sec-fetch-site", "same-origin", 200),
            ("sec-fetch-site", "none", 200),
            ("sec-fetch-site", "cross-site", 403),
            ("sec-fetch-site", "same-site", 403),
        ] {
            assert_eq!(
                check("127.0.0.1:5000", Method::POST, &[host, (name, value)]),
                expected,
                "{name}: {value}"
            );
        }
        assert_eq!(check("127.0.0.1:5000", Method::OPTIONS, &[host]), 405);
    }

    #[test]
    fn a_foreign_absolute_target_is_refused() {
        let hosts = Hosts::new("127.0.0.1:5000".parse().unwrap());
        let headers = HeaderMap::from_iter([(header::HOST, "127.0.0.1:5000".parse().unwrap())]);
        for (uri, good) in [
            ("http://evil.example/ws", false),
            ("http://127.0.0.1:5000/ws", true),
            ("/ws", true),
        ] {
            assert_eq!(
                hosts.check(&Method::GET, &uri.parse().unwrap(), &headers).is_ok(),
                good,
                "{uri}"
            );
        }
    }
}
