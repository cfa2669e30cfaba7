//! What uses of names are resolved to, stage by stage. Each case is a small tree in one string, `//- path` before each
//! file, and every use that is told: `caller -> callee confidence`, candidates separated by `|`.

#![cfg(feature = "all")]

use seekwell_core::analyse::Analyst;
use seekwell_core::generation::{Builder, Generation};
use seekwell_core::resolve::{NONE, Site, Target};
use seekwell_core::symbols::CallKind;
use seekwell_languages::LANGUAGES;

fn generation(tree: &str) -> Generation {
    let mut analyst = Analyst::new(LANGUAGES, None);
    let mut builder = Builder::new(LANGUAGES, None).expect("an index");
    let mut files: Vec<(&str, &str)> =
        tree.split("//- ").skip(1).map(|file| file.split_once('\n').expect("a path and a text")).collect();
    files.sort();
    for (path, text) in files {
        builder.add(path, analyst.analyse(path, text.as_bytes(), None).expect("text")).expect("added");
    }
    builder.commit().expect("committed")
}

fn described(generation: &Generation, site: &Site) -> String {
    let path = |file: u32| generation.files[file as usize].path.as_str();
    let place = |symbol: u32| {
        let file = path(generation.symbols[symbol as usize].file);
        format!("{file}:{}", generation.qualified_name(symbol))
    };
    let from = if site.within == NONE { "(file)".to_owned() } else { generation.qualified_name(site.within) };
    let to = match site.target {
        Target::File(file) => path(file).to_owned(),
        Target::Nothing => generation.graph().name(site).to_owned(),
        _ => generation.graph().targets(site).iter().map(|&s| place(s)).collect::<Vec<_>>().join("|"),
    };
    let kind = match site.kind {
        CallKind::Call => "",
        CallKind::Import => "import ",
        CallKind::Extends => "extends ",
        CallKind::Value => "value ",
    };
    format!("{from} -> {kind}{to} {}", site.confidence.word())
}

/// Every use of the tree but those that are external, against these lines.
#[track_caller]
fn check(tree: &str, expected: &[&str]) {
    let generation = generation(tree);
    let all: Vec<String> = generation.graph().sites.iter().map(|site| described(&generation, site)).collect();
    let found: Vec<&str> = all.iter().map(String::as_str).filter(|line| !line.ends_with(" external")).collect();
    assert_eq!(found, expected, "\nall of them:\n{}\n", all.join("\n"));
}

#[test]
fn rust_paths_imports_and_receivers() {
    check(
        "\
//- src/lib.rs
pub mod net;
mod util;
pub use net::Client;
pub fn run() { let c = Client::new(3); c.get(); util::help(); net::retry(|| 1); local(); String::new(); }
fn local() {}
//- src/net.rs
mod inner;
pub use self::inner::retry;
use crate::util::{self, help as assist};
pub struct Client { inner: Inner }
struct Inner;
impl Client {
    pub fn new(n: u32) -> Self { assist(); util::help(); Self { inner: Inner } }
    pub fn get(&self) { self.send(); self.inner.go(); self.clone(); }
    fn send(&self) {}
}
impl Inner { fn go(&self) {} }
//- src/net/inner.rs
use super::*;
pub fn retry<T>(f: impl Fn() -> T) -> T { let c: Client = todo!(); c.get(); f() }
//- src/util.rs
pub fn help() {}
",
        &[
            "(file) -> import src/net.rs:Client import",
            "run -> src/net.rs:Client::new receiver",
            "run -> src/net.rs:Client::get receiver",
            "run -> src/util.rs:help import",
            "run -> src/net/inner.rs:retry import",
            "run -> src/lib.rs:local file",
            "(file) -> import src/net/inner.rs:retry import",
            "(file) -> import src/util.rs import",
            "(file) -> import src/util.rs:help import",
            "Client::new -> src/util.rs:help import",
            "Client::new -> src/util.rs:help import",
            "Client::new -> value src/net.rs:Inner file",
            "Client::get -> src/net.rs:Client::send receiver",
            "Client::get -> src/net.rs:Inner::go receiver",
            "(file) -> import src/net.rs import",
            "retry -> src/net.rs:Client::get receiver",
        ],
    );
}

#[test]
fn rust_modules_in_a_file() {
    check(
        "\
//- src/lib.rs
mod shop;
pub fn open() {}
//- src/shop.rs
pub fn price() {}
mod inner {
    pub fn cost() { super::price(); self::tax(); super::super::open(); }
    fn tax() {}
}
#[cfg(test)]
mod tests {
    use super::inner::cost as sum;
    #[test]
    fn sums() { super::price(); sum(); }
}
",
        &[
            "inner::cost -> src/shop.rs:price import",
            "inner::cost -> src/shop.rs:inner::tax import",
            "inner::cost -> src/lib.rs:open import",
            "tests -> import src/shop.rs:inner::cost import",
            "tests::sums -> src/shop.rs:price import",
            "tests::sums -> src/shop.rs:inner::cost import",
        ],
    );
}

#[test]
fn python_modules_classes_and_self() {
    check(
        "\
//- pkg/__init__.py
from .app import App as App
//- pkg/app.py
import pkg.util
from . import util as u
from .base import Base
class App(Base):
    def __init__(self, store: \"Store\"):
        self.store = store
        self.cache = Cache()
    def run(self):
        self.setup()
        self.cache.drop()
        self.start()
        pkg.util.help()
        u.help()
        open('x')
        super().start()
class Cache:
    def drop(self): pass
//- pkg/base.py
class Base:
    def start(self): pass
    def setup(self): pass
//- pkg/util.py
def help(): pass
def open(): pass
//- main.py
from pkg import App
def main():
    app = App(None)
    app.run()
    with_callback(main)
",
        &[
            "(file) -> import pkg/app.py:App import",
            "main -> pkg/app.py:App import",
            "main -> pkg/app.py:App::run receiver",
            "main -> value main.py:main file",
            "(file) -> import pkg/app.py:App import",
            "(file) -> import pkg/util.py import",
            "(file) -> import pkg/util.py import",
            "(file) -> import pkg/base.py:Base import",
            "App -> extends pkg/base.py:Base import",
            "App::__init__ -> pkg/app.py:Cache file",
            "App::run -> pkg/base.py:Base::setup receiver",
            "App::run -> pkg/app.py:Cache::drop receiver",
            "App::run -> pkg/base.py:Base::start receiver",
            "App::run -> pkg/util.py:help import",
            "App::run -> pkg/util.py:help import",
            "App::run -> pkg/base.py:Base::start receiver",
        ],
    );
}

#[test]
fn javascript_and_typescript_modules() {
    check(
        "\
//- src/index.ts
export * from './lib/store';
export { default as Queue } from './lib/queue.js';
//- src/lib/store.ts
import { help } from '../util';
export class Store { private items: Item; put(x: number) { help(x); this.items.touch(); } }
class Item { touch() {} }
//- src/lib/queue.js
const util = require('../util');
export default class Queue { push() { util.help(1); this.flush(); } flush() {} }
//- src/util/index.ts
export function help(x: number) {}
//- src/main.ts
import { Store } from '.';
import Q from './lib/queue';
import * as util from './util';
const s = new Store();
s.put(1);
util.help(2);
new Q();
[1].map(util.help);
",
        &[
            "(file) -> import src/lib/store.ts import",
            "(file) -> import src/lib/queue.js:Queue import",
            "(file) -> import src/util/index.ts import",
            "Queue::push -> src/util/index.ts:help import",
            "Queue::push -> src/lib/queue.js:Queue::flush receiver",
            "(file) -> import src/util/index.ts:help import",
            "Store::put -> src/util/index.ts:help import",
            "Store::put -> src/lib/store.ts:Item::touch receiver",
            "(file) -> import src/lib/store.ts:Store import",
            "(file) -> import src/lib/queue.js:Queue import",
            "(file) -> import src/util/index.ts import",
            "s -> src/lib/store.ts:Store import",
            "(file) -> src/lib/store.ts:Store::put receiver",
            "(file) -> src/util/index.ts:help import",
            "(file) -> src/lib/queue.js:Queue import",
            "(file) -> value src/util/index.ts:help import",
        ],
    );
}

#[test]
fn go_packages_and_methods() {
    check(
        "\
//- server.go
package gin
import \"github.com/acme/gin/render\"
type Engine struct { pool Pool }
func New() *Engine { return &Engine{} }
func (e *Engine) Run() { e.serve(); e.pool.Take(); render.Write(1); helper() }
func (e *Engine) serve() {}
//- helper.go
package gin
type Pool struct{}
func (p *Pool) Take() {}
func helper() { e := New(); e.Run() }
//- render/render.go
package render
import \"fmt\"
func Write(x int) { fmt.Println(x); json() }
//- render/json.go
package render
func json() {}
//- other/main.go
package main
import (
  g \"github.com/acme/gin\"
  \"github.com/acme/gin/render\"
)
func main() { g.New().Run(); render.Write(2) }
",
        &[
            "helper -> server.go:New package",
            "helper -> server.go:Run receiver",
            "(file) -> import helper.go import",
            "(file) -> import render/json.go import",
            "main -> server.go:New import",
            "main -> server.go:Run receiver",
            "main -> render/render.go:Write import",
            "Write -> render/json.go:json package",
            "(file) -> import render/json.go import",
            "New -> server.go:Engine file",
            "Run -> server.go:serve receiver",
            "Run -> helper.go:Take receiver",
            "Run -> render/render.go:Write import",
            "Run -> helper.go:helper package",
        ],
    );
}

#[test]
fn java_members_and_packages() {
    check(
        "\
//- src/com/acme/App.java
package com.acme;
import com.acme.store.Store;
import static com.acme.store.Util.help;
class App extends Base {
  private final Store store = new Store();
  void run(Other other) { store.put(1); help(); start(); other.go(); this.stop(); }
  void stop() {}
}
//- src/com/acme/Base.java
package com.acme;
class Base { void start() {} }
//- src/com/acme/Other.java
package com.acme;
class Other { void go() { new App(); } }
//- src/com/acme/store/Store.java
package com.acme.store;
public class Store { public void put(int x) {} public void put(String x) {} }
//- src/com/acme/store/Util.java
package com.acme.store;
public class Util { public static void help() {} }
",
        &[
            "(file) -> import src/com/acme/store/Store.java:Store import",
            "(file) -> import src/com/acme/store/Util.java:Util::help import",
            "App -> extends src/com/acme/Base.java:Base package",
            "App::store -> src/com/acme/store/Store.java:Store import",
            "App::run -> src/com/acme/store/Store.java:Store::put|src/com/acme/store/Store.java:Store::put receiver",
            "App::run -> src/com/acme/store/Util.java:Util::help import",
            "App::run -> src/com/acme/Base.java:Base::start scope",
            "App::run -> src/com/acme/Other.java:Other::go receiver",
            "App::run -> src/com/acme/App.java:App::stop receiver",
            "Other::go -> src/com/acme/App.java:App package",
        ],
    );
}

#[test]
fn c_includes_and_prototypes() {
    check(
        "\
//- lib/a.h
int alpha(int x);
//- lib/a.c
#include \"a.h\"
static int helper(int x) { return x; }
int alpha(int x) { return helper(x); }
//- src/main.c
#include \"../lib/a.h\"
#include <stdio.h>
static int helper(void) { return 1; }
int main(void) { printf(\"x\"); return alpha(helper()); }
",
        &[
            "(file) -> import lib/a.h import",
            "alpha -> lib/a.c:helper file",
            "(file) -> import lib/a.h import",
            "main -> lib/a.h:alpha import",
            "main -> src/main.c:helper file",
        ],
    );
}

#[test]
fn what_several_have_is_ambiguous_with_all_of_them() {
    check(
        "\
//- a.py
class A:
    def go_now(self): pass
class B:
    def go_now(self): pass
class C:
    def go_now(self): pass
def use(x):
    x.go_now()
    x.unwrap()
",
        &["use -> a.py:A::go_now|a.py:B::go_now|a.py:C::go_now ambiguous"],
    );
}

#[test]
fn one_definition_is_unique_but_not_under_a_common_name() {
    check(
        "\
//- a.rs
struct Odd;
impl Odd { fn frobnicate(&self) {} fn push(&self) {} }
fn f(x: impl Any) { x.y().frobnicate(); x.y().push(); }
",
        &["f -> a.rs:Odd::frobnicate unique", "f -> a.rs:Odd::push ambiguous"],
    );
}

#[test]
fn circles_end() {
    check(
        "\
//- a.ts
export * from './b';
import { nowhere } from './b';
nowhere();
//- b.ts
export * from './a';
export { nowhere } from './a';
//- loop.py
from loop import *
from . import loop
class Self(Self):
    def run(self): self.missing_thing(); super().missing_thing()
//- loop.php
<?php
trait EnumTrait { use EnumTrait; function a() { $this->missingThing(); self::a(); } }
//- loop.rs
pub use self::*;
trait Loop: Loop { fn a(&self) { self.absent_thing() } }
struct A { a: A }
impl A { fn f(&self) { let x = x.y(); self.a.a.a.f(); x.f() } }
",
        &[
            "(file) -> import b.ts import",
            "(file) -> import b.ts import",
            "(file) -> import a.ts import",
            "(file) -> import a.ts import",
            "EnumTrait -> extends loop.php:EnumTrait file",
            "EnumTrait::a -> loop.php:EnumTrait::a receiver",
            "(file) -> import loop.py import",
            "(file) -> import loop.py import",
            "Self -> extends loop.py:Self file",
            "(file) -> import loop.rs import",
            "Loop -> extends loop.rs:Loop file",
            "A::f -> loop.rs:A::f receiver",
            "A::f -> loop.rs:A::f unique",
        ],
    );
}
