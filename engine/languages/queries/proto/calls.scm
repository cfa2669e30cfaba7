; Protocol Buffers: what is used.

(import path: (string) @name) @reference.import
(rpc (message_or_enum_type (identifier) @name .)) @reference.call
(type (message_or_enum_type (identifier) @name .)) @reference.call
