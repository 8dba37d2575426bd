//! The server: thin, on this machine alone, for whoever has the token.

use std::io;
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{HeaderValue, Method, Response, StatusCode};
use axum::Router;
use miniz_oxide::deflate::compress_to_vec_zlib;
use tokio::runtime::Runtime;

use crate::answer::{self, answer, Answer};
use crate::guard::{Asker, Refused};
use crate::page;
use crate::question::Question;
use crate::shifts::{self, Change};
use crate::site::{Shown, Site};

/// What scripts and styles the page may use: its own. It talks to nobody else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
                      worker-src 'self' blob:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// What every answer says.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// A year: longer than any server runs. Another server has another token.
const LASTING: &str = "private, max-age=31536000, immutable";

/// Where a server listens.
pub enum Place {
    /// A port of this machine.
    Port(std::net::TcpListener),
    /// A socket in the file system.
    Socket(UnixListener),
}

/// Reads what is shown once more, or says why that cannot be.
pub type Again = dyn Fn() -> Result<Site, String> + Send + Sync;

/// A server that answers until it is dropped.
pub struct Server {
    runtime: Option<Runtime>,
}

impl Drop for Server {
    /// Waits for no answer: one may take as long as reading a run.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What all requests share.
struct Shared {
    /// What is shown, or why there is nothing to show any more.
    site: RwLock<Result<Arc<Site>, String>>,
    again: Box<Again>,
    /// How often it was tried to read it again.
    editions: AtomicU32,
    token: String,
}

impl Shared {
    /// Answers a question. A page that is loaded, and so asks for all there is, after a run was
    /// changed, shows it as it is now.
    fn answer(&self, question: &Question) -> Answer {
        if question.path == ["meta"] {
            self.refresh();
        }
        match self.site() {
            Ok(site) => answer(&site, question),
            Err(gone) => gone,
        }
    }

    fn site(&self) -> Result<Arc<Site>, Answer> {
        let site = self.site.read().unwrap_or_else(PoisonError::into_inner);
        site.clone().map_err(|why| Answer::error(410, why))
    }

    /// Reads again what was changed; questions wait meanwhile, as none of them has an answer.
    fn refresh(&self) {
        let is_there = |site: &Arc<Site>| site.runs.iter().all(Shown::is_there);
        let is_whole = |site: &Result<Arc<Site>, String>| site.as_ref().is_ok_and(is_there);
        if is_whole(&self.site.read().unwrap_or_else(PoisonError::into_inner)) {
            return;
        }
        let mut site = self.site.write().unwrap_or_else(PoisonError::into_inner);
        // Another page may have asked at the same time.
        if is_whole(&site) {
            return;
        }
        // The memory of what is gone is needed for what comes.
        *site = Err("it could not be read again".to_owned());
        let edition = 1 + self.editions.fetch_add(1, Ordering::Relaxed);
        let read = (self.again)();
        *site = read.map(|site| Arc::new(Site { edition, ..site }));
    }
}

impl Server {
    /// Begins to answer whoever has the token.
    ///
    /// # Errors
    /// When there are no threads, or the place cannot be listened at.
    pub fn start(site: Site, token: String, place: Place, again: Box<Again>) -> io::Result<Server> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_io()
            .build()?;
        let shared = Arc::new(Shared {
            site: RwLock::new(Ok(Arc::new(site))),
            again,
            editions: AtomicU32::new(0),
            token,
        });
        let router = Router::new().fallback(handle).with_state(shared);
        let entered = runtime.enter();
        match place {
            Place::Port(listener) => {
                listener.set_nonblocking(true)?;
                let listener = tokio::net::TcpListener::from_std(listener)?;
                runtime.spawn(async { axum::serve(listener, router).await });
            }
            Place::Socket(listener) => {
                listener.set_nonblocking(true)?;
                let listener = tokio::net::UnixListener::from_std(listener)?;
                runtime.spawn(async { axum::serve(listener, router).await });
            }
        }
        drop(entered);
        Ok(Server {
            runtime: Some(runtime),
        })
    }
}

async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let asked = Question::new(request.uri().path(), request.uri().query());
    let asker = asker(request.headers());
    if !asker.is_local() {
        return api(Answer::error(
            403,
            "this server answers pages of its own alone",
        ));
    }
    let method = request.method().clone();
    let reads = method == Method::GET || method == Method::HEAD;
    let may_change = asked.as_ref().is_some_and(shifts::may_change);
    if !reads && !(may_change && (method == Method::PUT || method == Method::DELETE)) {
        return api(Answer::error(405, "only GET is answered"));
    }
    let Some(question) = asked else {
        return file(request.uri().path());
    };
    match asker.may_ask(&shared.token) {
        Ok(()) => {}
        Err(Refused::Foreign) => return api(Answer::error(403, "this is no page of this server")),
        Err(Refused::Token) => return api(Answer::error(401, "the token is missing or wrong")),
    }
    if !reads {
        return change(shared, request, question).await;
    }
    let packs = takes_deflate(request.headers());
    // Answers are computed: who only reads headers meanwhile does not wait for them.
    let answered = tokio::task::spawn_blocking(move || {
        let answer = shared.answer(&question);
        match packs {
            true => packed(answer),
            false => (answer, false),
        }
    });
    let unanswered = || (Answer::error(500, "this cannot be answered"), false);
    let (answer, is_packed) = answered.await.unwrap_or_else(|_| unanswered());
    let mut response = api(answer);
    if is_packed {
        let how = HeaderValue::from_static("deflate");
        response.headers_mut().insert(header::CONTENT_ENCODING, how);
    }
    response
}

/// Answers are packed from so many bytes on.
const WORTH_PACKING: usize = 4 << 10;

/// How hard: the least. It makes 6 to 38 KiB of the shares of 32 rows (176 KiB), in 0.4 to 3.3 ms; the
/// third level makes 4 to 36 KiB in 4 to 10 ms.
const PACKING: u8 = 1;

/// Packs an answer that is large, as `deflate`: the zlib format.
fn packed(answer: Answer) -> (Answer, bool) {
    if answer.body.len() < WORTH_PACKING {
        return (answer, false);
    }
    let body = compress_to_vec_zlib(&answer.body, PACKING);
    match body.len() < answer.body.len() {
        true => (Answer { body, ..answer }, true),
        false => (answer, false),
    }
}

/// Returns whether a browser takes packed answers.
fn takes_deflate(headers: &HeaderMap) -> bool {
    let all = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut ways = all
        .filter_map(|it| it.to_str().ok())
        .flat_map(|it| it.split(','));
    ways.any(|way| {
        let (name, quality) = way.split_once(';').unwrap_or((way, ""));
        let refused = quality
            .trim()
            .strip_prefix("q=")
            .is_some_and(|it| it.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("deflate") && !refused
    })
}

/// Keeps what a page says, which has the token.
async fn change(shared: Arc<Shared>, request: Request, question: Question) -> Response<Body> {
    let change = match *request.method() == Method::DELETE {
        true => Change::Reset,
        false => match axum::body::to_bytes(request.into_body(), shifts::LARGEST_BODY).await {
            Ok(body) => Change::Put(body.into()),
            Err(_) => return api(Answer::error(413, "so many shifts are not taken at once")),
        },
    };
    let changed = move || match shared.site() {
        Ok(site) => answer::change(&site, &question, change),
        Err(gone) => gone,
    };
    let changed = tokio::task::spawn_blocking(changed).await;
    api(changed.unwrap_or_else(|_| Answer::error(500, "this cannot be kept")))
}

fn asker(headers: &HeaderMap) -> Asker<'_> {
    let text = |name| {
        headers
            .get(name)
            .and_then(|it: &HeaderValue| it.to_str().ok())
    };
    Asker {
        host: text(header::HOST),
        // One that is no text is foreign, too.
        origin: headers
            .get(header::ORIGIN)
            .map(|it| it.to_str().unwrap_or("null")),
        authorization: text(header::AUTHORIZATION),
    }
}

fn api(answer: Answer) -> Response<Body> {
    let kind = match answer.is_json {
        true => "application/json",
        false => "application/octet-stream",
    };
    let lasting = match answer.is_lasting {
        true => LASTING,
        false => "no-store",
    };
    let mut response = response(answer.status, kind, lasting, answer.body.into());
    let headers = response.headers_mut();
    headers.insert(
        header::VARY,
        HeaderValue::from_static("Authorization, Accept-Encoding"),
    );
    response
}

fn file(path: &str) -> Response<Body> {
    match page::file(path) {
        Some((bytes, kind)) => response(200, kind, "no-cache", bytes.into()),
        None => api(Answer::none("file")),
    }
}

fn response(status: u16, kind: &'static str, lasting: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    use super::*;

    #[test]
    fn only_who_takes_packed_answers_gets_them() {
        let takes = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            takes_deflate(&headers)
        };
        assert!(takes("gzip, deflate, br") && takes("Deflate;q=0.5"));
        assert!(!takes("gzip") && !takes("deflate;q=0") && !takes("deflate; q=0.0"));
        assert!(!takes_deflate(&HeaderMap::new()));
    }

    #[test]
    fn large_answers_are_packed_and_are_the_same_then() {
        let body: Vec<u8> = (0..1u32 << 16)
            .flat_map(|it| (it / 100).to_le_bytes())
            .collect();
        let (answer, is_packed) = packed(Answer::tile(body.clone()));
        assert!(is_packed && answer.body.len() < body.len() / 4);
        assert_eq!(decompress_to_vec_zlib(&answer.body).unwrap(), body);
        assert!(!packed(Answer::tile(vec![0; WORTH_PACKING - 1])).1);
    }
}
