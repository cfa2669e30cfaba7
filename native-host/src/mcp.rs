//! The server for agents: the Model Context Protocol, over standard input and output or over HTTP.
//!
//! It only translates: [`tools`] says what can be asked, [`arguments`] checks it, [`run`] asks the session, [`answer`] writes
//! what comes back. Both eras of the protocol are spoken on one connection, whichever the client opens with.
//!
//! Nothing of a tree is touched before a tool is called, so that a client has its list of tools at once, however large the
//! tree. Nothing but the protocol is ever written to standard output; a tool that fails, or panics, answers so.

pub mod answer;
pub mod arguments;
pub mod http;
pub mod lines;
pub mod roots;
pub mod run;
pub mod server;
pub mod tools;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use tokio::runtime::Runtime;

use crate::component::Component;
use crate::component::config::THREAD_STACK;
use server::{Server, State};

/// After the end of the input: what was asked last may still be answered for so long, ...
const GRACE: Duration = Duration::from_millis(350);
/// ... and what does not heed that it is cancelled is left behind after so long; so is a client that does not read.
const PATIENCE: Duration = Duration::from_millis(150);

/// A runtime for a server.
fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // The engine runs on the threads for blocking work.
        .thread_stack_size(THREAD_STACK)
        .enable_io()
        .enable_time()
        .build()
}

/// Has the engine loaded while the client still asks what there is: the first time it is written to the cache, which takes as
/// long as a question. What is in the way is told to whoever asks.
fn get_ready() {
    std::thread::spawn(|| drop(Component::shared()));
}

/// Serves one client over standard input and output until the input ends. Standard output is the protocol's from here on:
/// what anything else prints goes to standard error.
pub fn serve_stdio(state: Arc<State>) -> io::Result<()> {
    let output = lines::take_stdout()?;
    let runtime = runtime()?;
    get_ready();
    runtime.block_on(async {
        let (transport, written) = lines::transport(io::stdin(), output, state.clone());
        // No client, or none that begins as one should: there is nobody to serve.
        if let Ok(service) = Server::new(state.clone()).serve(transport).await {
            let _ = service.waiting_until_closed(&state).await;
        }
        state.close();
        let _ = tokio::time::timeout(PATIENCE, written).await;
    });
    runtime.shutdown_background();
    Ok(())
}

/// Waits for the end of a service.
trait WaitingUntilClosed {
    /// Until the service is over, or the input has been at its end for as long as is waited for answers.
    async fn waiting_until_closed(self, state: &State);
}

impl<S: rmcp::Service<rmcp::RoleServer>> WaitingUntilClosed for rmcp::service::RunningService<rmcp::RoleServer, S> {
    async fn waiting_until_closed(self, state: &State) {
        let ended = async {
            state.ended().await;
            tokio::select! {
                () = state.done() => {}
                () = tokio::time::sleep(GRACE) => {}
            }
            state.close();
            let _ = tokio::time::timeout(PATIENCE, state.idle()).await;
        };
        tokio::select! {
            _ = self.waiting() => {}
            () = ended => {}
        }
    }
}
