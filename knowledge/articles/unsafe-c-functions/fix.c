#include <stdbool.h>
#include <stdio.h>

/* Writes "prefix/name" and says whether all of it fitted. */
bool join(char *out, size_t size, const char *prefix, const char *name) {
    int length = snprintf(out, size, "%s/%s", prefix, name);
    return length >= 0 && (size_t)length < size;
}
