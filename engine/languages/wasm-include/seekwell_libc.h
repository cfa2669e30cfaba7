/* What the grammars' scanners use of a C library, for WebAssembly without one. Included before everything else.
 *
 * tree-sitter-language brings headers of its own, but they lack what some scanners use, and not every grammar adds
 * them to its include path. So their guards are set here, this file stands in for them, and every grammar is compiled
 * against the same declarations. Character classes are those of the "C" locale, as in a native build that never calls
 * setlocale: ASCII only. */
#ifndef SEEKWELL_LIBC_H_
#define SEEKWELL_LIBC_H_

#define TREE_SITTER_WASM_ASSERT_H_
#define TREE_SITTER_WASM_CTYPE_H_
#define TREE_SITTER_WASM_STRING_H_
#define TREE_SITTER_WASM_WCTYPE_H_
#define TREE_SITTER_WASM_STDLIB_H_
#define TREE_SITTER_WASM_STDIO_H_
#define TREE_SITTER_WASM_STDINT_H_

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long int uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define INT32_MIN (-INT32_MAX - 1)
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#ifndef SIZE_MAX
#define SIZE_MAX 4294967295UL
#endif

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif

/* Memory comes from the engine's allocator: src/wasm_alloc.rs. */
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *pointer, size_t size);
void free(void *pointer);
__attribute__((noreturn)) void abort(void);

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);
size_t strlen(const char *text);
int strncmp(const char *left, const char *right, size_t size);
char *strncpy(char *to, const char *from, size_t size);

static inline int strcmp(const char *left, const char *right) {
  while (*left && *left == *right) {
    left++;
    right++;
  }
  return (unsigned char)*left - (unsigned char)*right;
}
static inline char *strcpy(char *to, const char *from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}
static inline char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
static inline char *strchr(const char *text, int wanted) {
  for (;; text++) {
    if (*text == (char)wanted) return (char *)text;
    if (!*text) return NULL;
  }
}
static inline void *memchr(const void *from, int wanted, size_t size) {
  const unsigned char *at = (const unsigned char *)from;
  for (; size; size--, at++) {
    if (*at == (unsigned char)wanted) return (void *)at;
  }
  return NULL;
}

typedef struct FILE FILE;
#define stdout ((FILE *)0)
#define stderr ((FILE *)1)
#define stdin ((FILE *)2)
int fclose(FILE *stream);
FILE *fdopen(int number, const char *mode);
int fputc(int c, FILE *stream);
int fputs(const char *restrict text, FILE *restrict stream);
size_t fwrite(const void *restrict buffer, size_t size, size_t count, FILE *restrict stream);
int fprintf(FILE *restrict stream, const char *restrict format, ...);
int snprintf(char *restrict buffer, size_t size, const char *restrict format, ...);
int vsnprintf(char *restrict buffer, size_t size, const char *restrict format, va_list arguments);
#define printf(...) ((int)0)

typedef int wint_t;
static inline int iswupper(wint_t c) { return c >= 'A' && c <= 'Z'; }
static inline int iswlower(wint_t c) { return c >= 'a' && c <= 'z'; }
static inline int iswalpha(wint_t c) { return iswupper(c) || iswlower(c); }
static inline int iswdigit(wint_t c) { return c >= '0' && c <= '9'; }
static inline int iswxdigit(wint_t c) { return iswdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static inline int iswalnum(wint_t c) { return iswalpha(c) || iswdigit(c); }
static inline int iswspace(wint_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int iswblank(wint_t c) { return c == ' ' || c == '\t'; }
static inline int iswprint(wint_t c) { return c >= 0x20 && c <= 0x7E; }
static inline int iswgraph(wint_t c) { return c > 0x20 && c <= 0x7E; }
static inline int iswpunct(wint_t c) { return iswgraph(c) && !iswalnum(c); }
static inline int iswcntrl(wint_t c) { return (c >= 0 && c < 0x20) || c == 0x7F; }
static inline wint_t towlower(wint_t c) { return iswupper(c) ? c + ('a' - 'A') : c; }
static inline wint_t towupper(wint_t c) { return iswlower(c) ? c - ('a' - 'A') : c; }
static inline int isupper(int c) { return iswupper(c); }
static inline int islower(int c) { return iswlower(c); }
static inline int isalpha(int c) { return iswalpha(c); }
static inline int isdigit(int c) { return iswdigit(c); }
static inline int isxdigit(int c) { return iswxdigit(c); }
static inline int isalnum(int c) { return iswalnum(c); }
static inline int isspace(int c) { return iswspace(c); }
static inline int isblank(int c) { return iswblank(c); }
static inline int isprint(int c) { return iswprint(c); }
static inline int ispunct(int c) { return iswpunct(c); }
static inline int iscntrl(int c) { return iswcntrl(c); }
static inline int tolower(int c) { return towlower(c); }
static inline int toupper(int c) { return towupper(c); }

#endif
