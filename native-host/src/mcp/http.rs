//! Streamable HTTP, for clients that cannot start a process, or for one server for many.
//!
//! It listens on the machine itself unless told otherwise; anybody who can reach it can read the roots, so elsewhere it wants
//! a token. A page in a browser can send requests to the machine that it is shown on: `Host` and `Origin` are checked.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::server::{Server, State};

/// Where the protocol is served.
const PATH: &str = "/mcp";

/// A client that has not sent the head of its request by then is not going to.
const HEAD: Duration = Duration::from_secs(10);

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Where and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The address to listen at.
    pub address: SocketAddr,
    /// What a client must send as `Authorization: Bearer …`.
    pub token: Option<String>,
    /// Names that the server is called by, besides those of the machine itself.
    pub hosts: Vec<String>,
    /// Pages that may ask, as `https://app.example.com`.
    pub origins: Vec<String>,
}

/// An address as it is typed: a port of this machine, or an address with a port.
pub fn address(typed: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = typed.parse::<u16>() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    let named = typed.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    let named = named.map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    named.or_else(|| typed.parse().ok()).ok_or_else(|| "write it as 8080, 127.0.0.1:8080 or [::1]:8080".to_owned())
}

/// Serves until the process is ended. `listening` is told the address once it is open.
pub fn serve(state: &Arc<State>, options: &Options, listening: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = super::runtime()?;
    super::get_ready();
    runtime.block_on(async {
        let listener = TcpListener::bind(options.address).await?;
        let local = listener.local_addr()?;
        listening(local);
        let service = service(state, options, local);
        let token: Option<Arc<str>> = options.token.as_deref().map(Arc::from);
        loop {
            let (stream, _) = match listener.accept().await {
                Ok(accepted) => accepted,
                // Too many open files, most often: those who are served will close some.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let (service, token) = (service.clone(), token.clone());
            tokio::spawn(async move {
                let answer = service_fn(move |request| answer(service.clone(), token.clone(), request));
                let mut server = hyper::server::conn::http1::Builder::new();
                server.timer(TokioTimer::new()).header_read_timeout(HEAD);
                // A connection that breaks concerns its client alone.
                let _ = server.serve_connection(TokioIo::new(stream), answer).await;
            });
        }
    })
}

fn service(state: &Arc<State>, options: &Options, local: SocketAddr) -> Service {
    let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    if !local.ip().is_unspecified() {
        hosts.push(local.ip().to_string());
    }
    hosts.extend(options.hosts.iter().cloned());
    let port = local.port();
    let own = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{port}"));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(own.into_iter().chain(options.origins.iter().cloned()))
        .enforce_origin_validation()
        .with_cancellation_token(state.closing().clone());
    let state = state.clone();
    StreamableHttpService::new(move || Ok(Server::new(state.clone())), Arc::default(), config)
}

async fn answer(service: Service, token: Option<Arc<str>>, request: Request<Incoming>) -> Result<Answer, Infallible> {
    if request.uri().path().trim_end_matches('/') != PATH {
        return Ok(refused(StatusCode::NOT_FOUND, "the protocol is served at /mcp"));
    }
    if let Some(token) = token {
        let sent = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let sent =
            sent.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        if !sent.is_some_and(|(_, sent)| same(sent.trim(), &token)) {
            let mut answer = refused(StatusCode::UNAUTHORIZED, "send the token as Authorization: Bearer TOKEN");
            answer.headers_mut().insert(WWW_AUTHENTICATE, hyper::header::HeaderValue::from_static("Bearer"));
            return Ok(answer);
        }
    }
    Ok(service.handle(request).await)
}

/// Whether two texts are the same, in a time that does not tell where they differ: hashes of what nobody else knows are compared.
fn same(a: &str, b: &str) -> bool {
    blake3::hash(a.as_bytes()) == blake3::hash(b.as_bytes())
}

fn refused(status: StatusCode, why: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(why.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(address("8080").unwrap().to_string(), "127.0.0.1:8080");
        assert_eq!(address("localhost:1").unwrap().to_string(), "127.0.0.1:1");
        assert_eq!(address("0.0.0.0:9").unwrap().to_string(), "0.0.0.0:9");
        assert_eq!(address("[::1]:9").unwrap().to_string(), "[::1]:9");
        assert!(address("example.com").is_err() && address("99999").is_err());
    }
}
