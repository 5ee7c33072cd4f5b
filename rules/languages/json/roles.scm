; Which node plays which part in JSON.
(object) @map @unordered
(array) @sequence
(pair key: (_) @key value: (_) @value) @entry
(string) @text @string
(number) @integer @float
(true) @true
(false) @false
(null) @null
