; Protocol Buffers: what is defined.

(package (full_ident) @name) @definition.module
(message (message_name) @name (message_body) @body) @definition.class
(service (service_name) @name) @definition.interface
(rpc (rpc_name) @name) @definition.method
(enum (enum_name) @name (enum_body) @body) @definition.enum
(enum_field . (identifier) @name) @definition.field
(field (identifier) @name) @definition.field
(map_field (identifier) @name) @definition.field
(oneof_field (identifier) @name) @definition.field
(oneof (identifier) @name) @definition.field
(extend (full_ident) @name) @definition.impl
