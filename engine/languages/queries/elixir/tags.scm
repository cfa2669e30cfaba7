; Elixir: definitions are calls.

(call
  target: (identifier) @_call
  (arguments . (alias) @name)
  (do_block
    (unary_operator
      operator: "@"
      operand: (call target: (identifier) @_doc (arguments . (string (quoted_content) @doc))))?) @body
  (#eq? @_call "defmodule")
  (#eq? @_doc "moduledoc")) @definition.module
(call target: (identifier) @_call (arguments . (alias) @name) (do_block) @body (#eq? @_call "defmodule")) @definition.module
(call target: (identifier) @_call (arguments . (alias) @name) (do_block) @body (#eq? @_call "defprotocol")) @definition.interface
(call
  target: (identifier) @_call
  (arguments (alias) (keywords (pair value: (alias) @name)))
  (do_block) @body
  (#eq? @_call "defimpl")) @definition.impl
(call
  target: (identifier) @_call
  (arguments . (alias) @name .)
  (do_block) @body
  (#eq? @_call "defimpl")) @definition.impl

; The clauses of a function are one definition.
(call
  target: (identifier) @_call
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])
  (do_block)? @body
  (#any-of? @_call "def" "defp" "defdelegate" "defn" "defnp" "defcallback")
  (#set! merge)) @definition.function
(call
  target: (identifier) @_call
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])
  (do_block)? @body
  (#any-of? @_call "defmacro" "defmacrop" "defguard" "defguardp")
  (#set! merge)) @definition.macro
(call
  target: (identifier) @_call
  (arguments [
    (list [(atom) @name (keywords (pair key: (keyword) @name))])
    (keywords (pair key: (keyword) @name))
  ])
  (#any-of? @_call "defstruct" "defexception" "embedded_schema")
  (#set! narrow)) @definition.field
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_call
    (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))
  (#any-of? @_call "type" "typep" "opaque" "callback" "macrocallback")) @definition.type

; Tests go by what they say of themselves.
(call
  target: (identifier) @_call
  (arguments . (string (quoted_content) @name))
  (do_block) @body
  (#any-of? @_call "test" "describe" "property")) @definition.test
