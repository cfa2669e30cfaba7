; Elixir: what is used.

(call
  target: [(identifier) @name (dot right: (identifier) @name)]
  (#not-any-of? @name "def" "defp" "defmodule" "defmacro" "defmacrop" "defstruct" "defprotocol" "defimpl" "defdelegate"
    "defguard" "defguardp" "defexception" "alias" "import" "use" "require" "test" "describe" "quote" "unquote" "doc"
    "moduledoc" "spec" "type" "typep" "opaque" "callback" "if" "unless" "case" "cond" "for" "with")) @reference.call
(call
  target: (identifier) @_call
  (arguments . [(alias) @name (dot right: (tuple (alias) @name))])
  (#any-of? @_call "alias" "import" "require" "use")) @reference.import
(call
  target: (identifier) @_call
  (arguments . (alias) @name (keywords))
  (#eq? @_call "defimpl")) @reference.extends

; Functions handed on.
(unary_operator operator: "&" operand: (binary_operator left: [(identifier) @name (call target: (dot right: (identifier) @name))])) @reference.value
