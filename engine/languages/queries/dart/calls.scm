; Dart: what is used.
(annotation name: (identifier) @name) @reference.call
