//! Messages on a stream: headers, a blank line, a body of JSON.
//!
//! Written for a stream that is not trusted: what cannot be understood is told and passed over, and the next message is read.
//! (The reader of lsp-server ends at the first fault, and reserves as much memory as a header asks for.)

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// A body larger than this is passed over: no editor has such a file.
const LARGEST_BODY: usize = 128 << 20;

/// A line of a header that is longer is not kept.
const LONGEST_HEADER: u64 = 4096;

/// The next message; `Ok(None)` at the end of the stream, `Some(Err(why))` for what is no message.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Value, String>>> {
    let mut length: Option<usize> = None;
    let mut strange: Option<String> = None;
    loop {
        let Some(line) = header_line(input)? else {
            return Ok(strange.map(|line| Err(not_a_header(&line))));
        };
        if line.is_empty() {
            match (length, strange.take()) {
                (Some(length), _) => return body(input, length).map(Some),
                (None, Some(line)) => return Ok(Some(Err(not_a_header(&line)))),
                (None, None) => continue,
            }
        }
        match line.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => match value.trim().parse() {
                Ok(bytes) => length = Some(bytes),
                Err(_) => strange = Some(line),
            },
            Some((name, _)) if name.trim().eq_ignore_ascii_case("content-type") => {}
            _ => strange = Some(line),
        }
    }
}

fn not_a_header(line: &str) -> String {
    let shown: String = line.chars().take(80).collect();
    format!("not a header of the protocol: {shown:?}; a message begins with Content-Length: N and a blank line")
}

/// A line of a header without its end; none at the end of the stream.
fn header_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') && read as u64 == LONGEST_HEADER {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned()))
}

fn body(input: &mut impl BufRead, length: usize) -> io::Result<Result<Value, String>> {
    if length > LARGEST_BODY {
        io::copy(&mut input.take(length as u64), &mut io::sink())?;
        return Ok(Err(format!("a message of {length} bytes is passed over: {LARGEST_BODY} are the most")));
    }
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&bytes).map_err(|e| format!("not JSON: {e}")))
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(mut input: &[u8]) -> Vec<Result<Value, String>> {
        std::iter::from_fn(|| read(&mut input).expect("a slice can be read")).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        for message in [json!({"a": "😀"}), json!(null), json!([1])] {
            write(&mut bytes, &message).unwrap();
        }
        assert_eq!(all(&bytes), [Ok(json!({"a": "😀"})), Ok(json!(null)), Ok(json!([1]))]);
    }

    #[test]
    fn faults_are_told_and_passed_over() {
        let stream = b"garbage\r\n\r\nContent-Length: 3\r\n\r\n{x}Content-Length: many\r\n\r\n\r\n\
            content-length:2\r\nContent-Type: application/json\r\n\r\n{}\n\nContent-Length: 1\n\n7";
        let read = all(stream);
        assert_eq!(read.len(), 5, "{read:?}");
        assert!(read[0].as_ref().unwrap_err().contains("garbage"));
        assert!(read[1].as_ref().unwrap_err().starts_with("not JSON"));
        assert!(read[2].as_ref().unwrap_err().contains("many"));
        assert_eq!(read[3..], [Ok(json!({})), Ok(json!(7))]);
    }

    #[test]
    fn long_lines_and_large_bodies_take_no_memory() {
        let mut stream = vec![b'x'; 10 << 20];
        stream.extend(b"\n\nContent-Length: 2\r\n\r\n{}");
        let read = all(&stream);
        assert!(read[0].is_err() && read[1] == Ok(json!({})), "{}", read.len());
        let mut stream: &[u8] = b"Content-Length: 99999999999\r\n\r\n{}";
        assert!(super::read(&mut stream).unwrap().unwrap().unwrap_err().contains("passed over"));
        let mut stream: &[u8] = b"Content-Length: 10\r\n\r\n{}";
        assert!(super::read(&mut stream).is_err(), "the stream ended inside of a message");
    }
}
