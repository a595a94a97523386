// The layout of .game and .pattern files for tree-sitter: blocks by indentation, lines that go on, drawn boards.
// words.h, which build.py writes, has the names of functions and what a line that goes on begins with.

#include "tree_sitter/parser.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 100
#define MAX_WORD 32

enum { NEWLINE, INDENT, DEDENT, BLOCK, ROW, MISTAKE };

typedef struct {
    uint16_t depth;
    uint16_t indents[MAX_DEPTH];
} Layout;

static bool is_blank(int32_t sign) { return sign == ' ' || sign == '\t' || sign == '\r' || sign == '\f'; }
static bool is_wordy(int32_t sign) {
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || (sign >= '0' && sign <= '9') || sign == '_';
}
static bool at_line_end(TSLexer *lexer) { return lexer->lookahead == '\n' || lexer->eof(lexer); }

// Whether the rest of a line, less its comment, ends with a colon.
static bool opens_block(TSLexer *lexer) {
    bool text = false, colon = false;
    for (; !at_line_end(lexer); lexer->advance(lexer, false)) {
        int32_t sign = lexer->lookahead;
        if (sign == '"') text = !text;
        if (sign == '#' && !text) break;
        if (!is_blank(sign)) colon = sign == ':' && !text;
    }
    return colon;
}

// Whether the line that begins here goes on with the statement above it (dsl/syntax/chunks.py has the rule).
static bool goes_on(TSLexer *lexer) {
    int32_t sign = lexer->lookahead;
    if (sign > 0 && sign < 128 && strchr(GOES_ON_SIGNS, (int)sign)) return true;
    if (sign == '!') {
        lexer->advance(lexer, false);
        return lexer->lookahead == '=';
    }
    char word[MAX_WORD + 1];
    unsigned length = 0;
    for (; is_wordy(lexer->lookahead) && length < MAX_WORD; lexer->advance(lexer, false))
        word[length++] = (char)lexer->lookahead;
    word[length] = 0;
    if (is_wordy(lexer->lookahead)) return false;
    for (const char *const *known = GOES_ON_WORDS; *known; known++)
        if (!strcmp(*known, word))
            return !((!strcmp(word, "if") || !strcmp(word, "else")) && opens_block(lexer));
    return false;
}

static bool found(TSLexer *lexer, int symbol) {
    lexer->result_symbol = (TSSymbol)symbol;
    return true;
}

// A row of a drawn board, up to a comment or the end of its line.
static bool scan_row(TSLexer *lexer) {
    for (; !at_line_end(lexer) && lexer->lookahead != '#';) {
        bool blank = is_blank(lexer->lookahead);
        lexer->advance(lexer, false);
        if (!blank) lexer->mark_end(lexer);
    }
    return found(lexer, ROW);
}

static bool scan_block(TSLexer *lexer) {
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
    return (lexer->lookahead == '#' || at_line_end(lexer)) && found(lexer, BLOCK);
}

bool SCANNER(scan)(void *payload, TSLexer *lexer, const bool *valid) {
    Layout *layout = payload;
    unsigned newlines = 0, indent = 0;
    bool commented = false, mistake = valid[MISTAKE];
    lexer->mark_end(lexer);
    for (;;) {
        if (lexer->eof(lexer)) {
            newlines++;
            indent = 0;
            break;
        }
        if (lexer->lookahead == '\n') {
            newlines++;
            indent = 0;
        } else if (is_blank(lexer->lookahead)) {
            if (lexer->lookahead != '\r') indent++;
        } else if (lexer->lookahead == '#') {
            if (!newlines) return false;
            if (newlines == 1 && valid[ROW] && !mistake) break;
            commented = true;
            while (!at_line_end(lexer)) lexer->advance(lexer, true);
            continue;
        } else {
            break;
        }
        lexer->advance(lexer, true);
    }
    if (!newlines) return valid[BLOCK] && lexer->lookahead == ':' && scan_block(lexer);
    unsigned depth = layout->indents[layout->depth];
    bool ended = lexer->eof(lexer);
    if (valid[ROW] && !mistake && newlines == 1 && !commented && !ended && indent > depth && lexer->lookahead != '#')
        return scan_row(lexer);
    if (valid[INDENT] && !mistake && indent > depth && layout->depth + 1 < MAX_DEPTH) {
        layout->indents[++layout->depth] = (uint16_t)indent;
        return found(lexer, INDENT);
    }
    if (valid[DEDENT] && indent < depth && layout->depth > 0) {
        layout->depth--;
        return found(lexer, DEDENT);
    }
    if (valid[NEWLINE] && !(indent > depth && !ended && !mistake && goes_on(lexer))) return found(lexer, NEWLINE);
    return false;
}

void *SCANNER(create)(void) { return calloc(1, sizeof(Layout)); }
void SCANNER(destroy)(void *payload) { free(payload); }

unsigned SCANNER(serialize)(void *payload, char *buffer) {
    Layout *layout = payload;
    unsigned size = layout->depth * (unsigned)sizeof(uint16_t);
    memcpy(buffer, layout->indents + 1, size);
    return size;
}

void SCANNER(deserialize)(void *payload, const char *buffer, unsigned length) {
    Layout *layout = payload;
    memset(layout, 0, sizeof(Layout));
    if (length) memcpy(layout->indents + 1, buffer, length);
    layout->depth = (uint16_t)(length / sizeof(uint16_t));
}
