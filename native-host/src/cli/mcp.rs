//! `seekwell mcp`: the server for agents.

use std::io::IsTerminal as _;

use super::Ended;
use super::args::McpArgs;
use super::error::Error;
use crate::mcp::server::State;
use crate::mcp::{self, http, roots};

/// The variable that has the token for HTTP: on a command line, everybody on the machine could read it.
const TOKEN: &str = "SEEKWELL_MCP_TOKEN";

pub(super) fn run(args: &McpArgs) -> Result<Ended, Error> {
    let roots = roots::choose(&args.root, &roots::Surroundings::of_process());
    // The server begins all the same: its client learns from the first answer what to do.
    if let Err(why) = &roots {
        super::tell(&format!("seekwell: {why}"));
    }
    let state = State::new(roots);
    if args.http.is_none() && std::io::stdin().is_terminal() {
        super::tell("this speaks with agents, not with people; seekwell setup AGENT prints the settings that start it");
    }
    let Some(address) = args.http else {
        mcp::serve_stdio(state)?;
        return Ok(Ended::Hits);
    };
    let token = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    if !address.ip().is_loopback() && token.is_none() {
        return Err(Error::Usage(format!(
            "no token: {address} can be reached from other machines, who could read everything below the root; set {TOKEN}, or listen at 127.0.0.1:{}",
            address.port()
        )));
    }
    let options = http::Options { address, token, hosts: args.allow_host.clone(), origins: args.allow_origin.clone() };
    let listening = |at: std::net::SocketAddr| super::tell(&format!("listening at http://{at}/mcp"));
    http::serve(&state, &options, listening)
        .map_err(|e| Error::Usage(format!("cannot listen at {address}: {e}; name another address")))?;
    Ok(Ended::Hits)
}
