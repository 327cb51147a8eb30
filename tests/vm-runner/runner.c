// Loads the interpreter of virtualised methods as Android's linker does and runs programs with it: a JNI over a small object model, for processors
// that only an emulator has here (qemu-user). No library: system calls, memory and texts are made here.
//
//   runner LIBRARY IMAGE CLASS...
//
// World.h, which run-private-code.ts writes, has the classes of the programs. Every function of JNI checks what it is called with as CheckJNI does,
// and more: references that were deleted, references of other calls, too many of them, the stack, identifiers, buffers. What is wrong ends the process
// with status 3 and a line `fault: ...`. Standard output: for each class NUL, its name, a line feed and what it printed; the exception that left main
// follows 0x01. Standard error has the lines of android.util.Log in the same frames.

#include <jni.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef __UINTPTR_TYPE__ uptr;
typedef __SIZE_TYPE__ usize;

// ---- what differs between processors

#if defined(__aarch64__)
enum { OPEN = 56, READ = 63, WRITE = 64, MMAP = 222, MPROTECT = 226, EXIT = 94, RELATIVE = 1027 };
/** Results that are narrower than a register have any bits above them (AAPCS64 6.9): those that no caller may read are set. */
typedef u64 Narrow;
typedef float FloatBits;
typedef double DoubleBits;
#elif defined(__arm__)
enum { OPEN = 322, READ = 3, WRITE = 4, MMAP = 192, MPROTECT = 125, EXIT = 248, RELATIVE = 23 };
typedef u32 Narrow;
// armeabi-v7a passes float and double in core registers (AAPCS32 6.4, the base standard). They are numbers here, so that a wrong option of the
// compiler does not hide on both sides.
typedef u32 FloatBits;
typedef u64 DoubleBits;
#elif defined(__x86_64__)
enum { OPEN = 257, READ = 0, WRITE = 1, MMAP = 9, MPROTECT = 10, EXIT = 231, RELATIVE = 8 };
typedef u32 Narrow;
typedef float FloatBits;
typedef double DoubleBits;
#endif

static long system_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#elif defined(__arm__)
  register long r7 __asm__("r7") = number;
  register long r0 __asm__("r0") = a;
  register long r1 __asm__("r1") = b;
  register long r2 __asm__("r2") = c;
  register long r3 __asm__("r3") = d;
  register long r4 __asm__("r4") = e;
  register long r5 __asm__("r5") = f;
  __asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5) : "memory");
  return r0;
#else
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#endif
}

/** Registers that a callee may change have other values afterwards. */
static __attribute__((noinline)) void change_registers(void) {
#if defined(__aarch64__)
  __asm__ volatile(
      "mov x9, #-1\n mov x10, x9\n mov x11, x9\n mov x12, x9\n mov x13, x9\n mov x14, x9\n mov x15, x9\n mov x16, x9\n"
      "mov x17, x9\n fmov d16, x9\n fmov d17, x9\n fmov d18, x9\n fmov d24, x9\n fmov d31, x9" ::
          : "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "d16", "d17", "d18", "d24", "d31");
#elif defined(__arm__)
  __asm__ volatile("mvn r12, #0\n vmov d0, r12, r12\n vmov d1, r12, r12\n vmov d2, r12, r12\n vmov d7, r12, r12" ::
                       : "r12", "d0", "d1", "d2", "d7");
#else
  __asm__ volatile("mov $-1, %%r10\n mov %%r10, %%r11\n movq %%r10, %%xmm8\n movq %%r10, %%xmm15" ::
                       : "r10", "r11", "xmm8", "xmm15");
#endif
}

void* memset(void* to, int value, usize count) {
  volatile u8* at = to;
  while (count--) *at++ = (u8)value;
  return to;
}
void* memcpy(void* to, const void* from, usize count) {
  volatile u8* at = to;
  const u8* source = from;
  while (count--) *at++ = *source++;
  return to;
}
#if defined(__arm__)
void __aeabi_memcpy(void* to, const void* from, usize count) { memcpy(to, from, count); }
void __aeabi_memcpy4(void* to, const void* from, usize count) { memcpy(to, from, count); }
void __aeabi_memcpy8(void* to, const void* from, usize count) { memcpy(to, from, count); }
void __aeabi_memclr(void* to, usize count) { memset(to, 0, count); }
void __aeabi_memclr4(void* to, usize count) { memset(to, 0, count); }
void __aeabi_memclr8(void* to, usize count) { memset(to, 0, count); }
void __aeabi_memset(void* to, usize count, int value) { memset(to, value, count); }
void __aeabi_memset4(void* to, usize count, int value) { memset(to, value, count); }
void __aeabi_memset8(void* to, usize count, int value) { memset(to, value, count); }
#endif

// ---- texts and output

static int length_of(const char* text) {
  int count = 0;
  while (text[count]) count++;
  return count;
}
static int is_text(const char* one, const char* other) {
  while (*one && *one == *other) one++, other++;
  return *one == *other;
}

typedef struct {
  int descriptor, count;
  char bytes[1 << 14];
} Output;
static Output out = {1, 0, {0}}, errors = {2, 0, {0}};

static void flush(Output* to) {
  int at = 0;
  while (at < to->count) {
    const long written = system_call(WRITE, to->descriptor, (long)(to->bytes + at), to->count - at, 0, 0, 0);
    if (written <= 0) break;
    at += (int)written;
  }
  to->count = 0;
}
static void put_byte(Output* to, int byte) {
  if (to->count == sizeof to->bytes) flush(to);
  to->bytes[to->count++] = (char)byte;
}
static void put_text(Output* to, const char* text) {
  while (*text) put_byte(to, *text++);
}

/** Digits of a number, without a division: a processor of 32 bits has none for 64. */
static const char* decimal(i64 value) {
  static char text[24];
  u64 left = value < 0 ? 0 - (u64)value : (u64)value;
  u64 power = 1;
  int count = 1;
  while (count < 20 && power * 10 <= left && power <= 1000000000000000000ULL) power *= 10, count++;
  char* at = text;
  if (value < 0) *at++ = '-';
  for (; count; count--) {
    // The power of ten of each digit is made from one on.
    u64 unit = 1;
    for (int i = 1; i < count; i++) unit *= 10;
    char digit = '0';
    while (left >= unit) left -= unit, digit++;
    *at++ = digit;
  }
  *at = 0;
  return text;
}

static __attribute__((noreturn)) void leave(int status) {
  flush(&out);
  flush(&errors);
  for (;;) system_call(EXIT, status, 0, 0, 0, 0, 0);
}
static __attribute__((noreturn)) void fault(const char* what, const char* where) {
  put_text(&errors, "\nfault: ");
  put_text(&errors, what);
  put_text(&errors, where ? ": " : "");
  put_text(&errors, where ? where : "");
  put_byte(&errors, '\n');
  leave(3);
}

static void* pages(usize bytes) {
  const long at = system_call(MMAP, 0, (long)bytes, 3, 0x22 | 0x4000, -1, 0);
  if ((uptr)at > (uptr)-4096) fault("no memory", 0);
  return (void*)at;
}
/** Memory of zeros at a multiple of 8 bytes. */
static void* zeros(usize bytes) {
  static u8* next;
  static usize left;
  bytes = (bytes + 7) & ~(usize)7;
  if (bytes > left) {
    left = bytes > (1 << 24) ? bytes : 1 << 24;
    next = pages(left);
  }
  void* made = next;
  next += bytes;
  left -= bytes;
  return made;
}

// ---- objects

typedef struct Class Class;
typedef struct Object Object;
typedef struct Method Method;
/** What a call gives, and an argument of it: a number's bits or an Object*. */
typedef u64 Word;

struct Object {
  Class* type;
  /** Elements of an array, units of a text. */
  i32 length;
  i32 padding;
  u64 data[];
};
struct Class {
  const char *name, *superclass;
  /** Names with a space behind each. */
  const char* interfaces;
  Class* above;
  Object* self;
  /** Of the elements of an array, 0 for other classes. */
  int width;
  int state;
  int field_count;
};
struct Method {
  const char *owner, *name, *signature, *shorty;
  int is_static;
  /** Number of the private code, or -1 for one of `library`. */
  int code;
  int registers;
  Word (*library)(Object* self, const Word* values);
  Class* type;
};
typedef struct {
  const char *owner, *name, *signature;
  int is_static;
  Class* type;
  int place;
  u64 value;
} Field;

enum { NEW, RUNNING, READY, FAILED };

static Object* pending;
static void throw_new(const char* type, const char* message);
static Word invoke(Method* method, Object* self, const Word* values);

static Object* new_text(const u16* units, i32 count);
static Object* text_of_bytes(const char* bytes);

#define TEXT_UNITS(object) ((u16*)(object)->data)

// -- methods of the library

static Word nothing(Object* self, const Word* values) {
  (void)self;
  (void)values;
  return 0;
}
static Word set_message(Object* self, const Word* values) {
  self->data[0] = values[0];
  return 0;
}
static Word type_of_object(Object* self, const Word* values) {
  (void)values;
  return (Word)(uptr)self->type->self;
}
static Word name_of_type(Object* self, const Word* values) {
  (void)values;
  const char* name = ((Class*)(uptr)self->data[0])->name;
  Object* text = text_of_bytes(name);
  for (i32 i = 0; i < text->length; i++)
    if (TEXT_UNITS(text)[i] == '/') TEXT_UNITS(text)[i] = '.';
  return (Word)(uptr)text;
}
static Word identity(Object* self, const Word* values) {
  (void)values;
  return (u32)(uptr)self;
}
/** UTF-16 as UTF-8; half of a pair as a question mark. */
static void put_units(Output* to, const Object* text) {
  const u16* units = TEXT_UNITS(text);
  for (i32 i = 0; i < text->length; i++) {
    u32 unit = units[i];
    if (unit >= 0xd800 && unit < 0xe000) {
      if (unit >= 0xdc00 || i + 1 == text->length || units[i + 1] < 0xdc00 || units[i + 1] >= 0xe000) {
        put_byte(to, '?');
        continue;
      }
      unit = 0x10000 + ((unit - 0xd800) << 10) + (units[++i] - 0xdc00u);
      put_byte(to, (int)(0xf0 | unit >> 18));
      put_byte(to, (int)(0x80 | (unit >> 12 & 63)));
      put_byte(to, (int)(0x80 | (unit >> 6 & 63)));
      put_byte(to, (int)(0x80 | (unit & 63)));
    } else if (unit < 0x80) put_byte(to, (int)unit);
    else {
      if (unit >= 0x800) {
        put_byte(to, (int)(0xe0 | unit >> 12));
        put_byte(to, (int)(0x80 | (unit >> 6 & 63)));
      } else put_byte(to, (int)(0xc0 | unit >> 6));
      put_byte(to, (int)(0x80 | (unit & 63)));
    }
  }
}
static Word print_text(Object* self, const Word* values) {
  (void)self;
  const Object* text = (Object*)(uptr)values[0];
  if (text) put_units(&out, text);
  else put_text(&out, "null");
  put_byte(&out, '\n');
  return 0;
}
static Word print_int(Object* self, const Word* values) {
  (void)self;
  put_text(&out, decimal((i32)values[0]));
  put_byte(&out, '\n');
  return 0;
}
static Word print_long(Object* self, const Word* values) {
  (void)self;
  put_text(&out, decimal((i64)values[0]));
  put_byte(&out, '\n');
  return 0;
}
static Word raw_bits(Object* self, const Word* values) {
  (void)self;
  return values[0];
}
static Word float_bits(Object* self, const Word* values) {
  (void)self;
  return ((u32)values[0] & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : (u32)values[0];
}
static Word double_bits(Object* self, const Word* values) {
  (void)self;
  return (values[0] & ~(1ULL << 63)) > 0x7ffULL << 52 ? 0x7ff8ULL << 48 : values[0];
}
static Word log_line(char level, const Word* values) {
  put_byte(&errors, level);
  put_byte(&errors, '/');
  put_units(&errors, (Object*)(uptr)values[0]);
  put_text(&errors, ": ");
  put_units(&errors, (Object*)(uptr)values[1]);
  put_byte(&errors, '\n');
  return 0;
}
#define LOG(name, level)                               \
  static Word name(Object* self, const Word* values) { \
    (void)self;                                        \
    return log_line(level, values);                    \
  }
LOG(log_v, 'V')
LOG(log_d, 'D')
LOG(log_i, 'I')
LOG(log_w, 'W')
LOG(log_e, 'E')

static Word concat(Object* self, const Word* values) {
  const Object* other = (Object*)(uptr)values[0];
  if (!other) {
    throw_new("java/lang/NullPointerException", 0);
    return 0;
  }
  if (!other->length) return (Word)(uptr)self;
  Object* made = new_text(0, self->length + other->length);
  memcpy(TEXT_UNITS(made), TEXT_UNITS(self), 2 * (usize)self->length);
  memcpy(TEXT_UNITS(made) + self->length, TEXT_UNITS(other), 2 * (usize)other->length);
  return (Word)(uptr)made;
}
static Word text_length(Object* self, const Word* values) {
  (void)values;
  return (u32)self->length;
}
static int same_units(const Object* one, const Object* other) {
  if (one->length != other->length) return 0;
  for (i32 i = 0; i < one->length; i++)
    if (TEXT_UNITS(one)[i] != TEXT_UNITS(other)[i]) return 0;
  return 1;
}
static Word text_equals(Object* self, const Word* values) {
  const Object* other = (Object*)(uptr)values[0];
  return other && other->type == self->type && same_units(self, other);
}
static Word text_hash(Object* self, const Word* values) {
  (void)values;
  u32 hash = 0;
  for (i32 i = 0; i < self->length; i++) hash = 31 * hash + TEXT_UNITS(self)[i];
  return hash;
}
static Word intern(Object* self, const Word* values) {
  static Object* known[4096];
  static int count;
  (void)values;
  for (int i = 0; i < count; i++)
    if (same_units(known[i], self)) return (Word)(uptr)known[i];
  if (count == 4096) fault("too many texts", 0);
  known[count++] = self;
  return (Word)(uptr)self;
}
/** A constructor of texts: gives a text, as NewObject has it. */
static Word text_of_chars(Object* self, const Word* values) {
  (void)self;
  const Object* units = (Object*)(uptr)values[0];
  return (Word)(uptr)new_text((const u16*)units->data, units->length);
}
static Object* new_object(Class* type);
static Class* class_named(const char* name);
static Word box_int(Object* self, const Word* values) {
  (void)self;
  Object* made = new_object(class_named("java/lang/Integer"));
  made->data[0] = (u64)(i64)(i32)values[0];
  return (Word)(uptr)made;
}
static Word box_long(Object* self, const Word* values) {
  (void)self;
  Object* made = new_object(class_named("java/lang/Long"));
  made->data[0] = values[0];
  return (Word)(uptr)made;
}
static Word append_text(Object* self, Object* text) {
  const Word one = (Word)(uptr)text;
  self->data[0] = concat((Object*)(uptr)self->data[0], &one);
  return (Word)(uptr)self;
}
static Word append_char(Object* self, const Word* values) {
  const u16 unit = (u16)values[0];
  return append_text(self, new_text(&unit, 1));
}
static Word append_object(Object* self, const Word* values) {
  Object* object = (Object*)(uptr)values[0];
  if (!object) return append_text(self, text_of_bytes("null"));
  if (object->type == class_named("java/lang/String")) return append_text(self, object);
  if (object->type != class_named("java/lang/Integer") && object->type != class_named("java/lang/Long"))
    fault("no text of this class", object->type->name);
  return append_text(self, text_of_bytes(decimal((i64)object->data[0])));
}
static Word first_field(Object* self, const Word* values) {
  (void)values;
  return self->data[0];
}

#include "world.h"

#define TEXT "Ljava/lang/String;"
static Class library_classes[] = {
#define PLAIN(name, above) {name, above, "", 0, 0, 0, READY, 1}
    {"java/lang/Object", 0, "", 0, 0, 0, READY, 0},
    PLAIN("java/lang/Class", "java/lang/Object"),
    {"java/lang/String", "java/lang/Object", "java/lang/CharSequence ", 0, 0, 0, READY, 0},
    PLAIN("java/lang/CharSequence", "java/lang/Object"),
    PLAIN("java/lang/Cloneable", "java/lang/Object"),
    PLAIN("java/lang/System", "java/lang/Object"),
    PLAIN("java/io/PrintStream", "java/lang/Object"),
    PLAIN("java/lang/Integer", "java/lang/Object"),
    PLAIN("java/lang/Long", "java/lang/Object"),
    PLAIN("java/lang/Float", "java/lang/Object"),
    PLAIN("java/lang/Double", "java/lang/Object"),
    PLAIN("java/lang/StringBuilder", "java/lang/Object"),
    PLAIN("android/util/Log", "java/lang/Object"),
    PLAIN("java/lang/Throwable", "java/lang/Object"),
    PLAIN("java/lang/Error", "java/lang/Throwable"),
    PLAIN("java/lang/LinkageError", "java/lang/Error"),
    PLAIN("java/lang/ExceptionInInitializerError", "java/lang/LinkageError"),
    PLAIN("java/lang/NoClassDefFoundError", "java/lang/LinkageError"),
    PLAIN("java/lang/NoSuchMethodError", "java/lang/LinkageError"),
    PLAIN("java/lang/NoSuchFieldError", "java/lang/LinkageError"),
    PLAIN("java/lang/VirtualMachineError", "java/lang/Error"),
    PLAIN("java/lang/InternalError", "java/lang/VirtualMachineError"),
    PLAIN("java/lang/OutOfMemoryError", "java/lang/VirtualMachineError"),
    PLAIN("java/lang/StackOverflowError", "java/lang/VirtualMachineError"),
    PLAIN("java/lang/Exception", "java/lang/Throwable"),
    PLAIN("java/lang/RuntimeException", "java/lang/Exception"),
    PLAIN("java/lang/ArithmeticException", "java/lang/RuntimeException"),
    PLAIN("java/lang/ArrayStoreException", "java/lang/RuntimeException"),
    PLAIN("java/lang/ClassCastException", "java/lang/RuntimeException"),
    PLAIN("java/lang/IllegalStateException", "java/lang/RuntimeException"),
    PLAIN("java/lang/IndexOutOfBoundsException", "java/lang/RuntimeException"),
    PLAIN("java/lang/ArrayIndexOutOfBoundsException", "java/lang/IndexOutOfBoundsException"),
    PLAIN("java/lang/NegativeArraySizeException", "java/lang/RuntimeException"),
    PLAIN("java/lang/NullPointerException", "java/lang/RuntimeException"),
    {OWNER, "java/lang/Object", "", 0, 0, 0, READY, 0},
};
static Method library_methods[] = {
#define LIBRARY(owner, name, signature, shorty, is_static, function) \
  {owner, name, signature, shorty, is_static, -1, 0, function, 0}
    LIBRARY("java/lang/Object", "<init>", "()V", "V", 0, nothing),
    LIBRARY("java/lang/Object", "getClass", "()Ljava/lang/Class;", "L", 0, type_of_object),
    LIBRARY("java/lang/Object", "hashCode", "()I", "I", 0, identity),
    LIBRARY("java/lang/Class", "getName", "()" TEXT, "L", 0, name_of_type),
    LIBRARY("java/lang/Throwable", "<init>", "()V", "V", 0, nothing),
    LIBRARY("java/lang/Throwable", "<init>", "(" TEXT ")V", "VL", 0, set_message),
    LIBRARY("java/lang/Throwable", "getMessage", "()" TEXT, "L", 0, first_field),
    LIBRARY("java/io/PrintStream", "println", "(" TEXT ")V", "VL", 0, print_text),
    LIBRARY("java/io/PrintStream", "println", "(I)V", "VI", 0, print_int),
    LIBRARY("java/io/PrintStream", "println", "(J)V", "VJ", 0, print_long),
    LIBRARY("java/lang/Float", "floatToIntBits", "(F)I", "IF", 1, float_bits),
    LIBRARY("java/lang/Float", "floatToRawIntBits", "(F)I", "IF", 1, raw_bits),
    LIBRARY("java/lang/Double", "doubleToLongBits", "(D)J", "JD", 1, double_bits),
    LIBRARY("java/lang/Double", "doubleToRawLongBits", "(D)J", "JD", 1, raw_bits),
    LIBRARY("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", "LI", 1, box_int),
    LIBRARY("java/lang/Long", "valueOf", "(J)Ljava/lang/Long;", "LJ", 1, box_long),
    LIBRARY("java/lang/String", "<init>", "([C)V", "VL", 0, text_of_chars),
    LIBRARY("java/lang/String", "concat", "(" TEXT ")" TEXT, "LL", 0, concat),
    LIBRARY("java/lang/String", "length", "()I", "I", 0, text_length),
    LIBRARY("java/lang/String", "equals", "(Ljava/lang/Object;)Z", "ZL", 0, text_equals),
    LIBRARY("java/lang/String", "hashCode", "()I", "I", 0, text_hash),
    LIBRARY("java/lang/String", "intern", "()" TEXT, "L", 0, intern),
    LIBRARY("java/lang/StringBuilder", "<init>", "(" TEXT ")V", "VL", 0, set_message),
    LIBRARY("java/lang/StringBuilder", "append", "(C)Ljava/lang/StringBuilder;", "LC", 0, append_char),
    LIBRARY("java/lang/StringBuilder", "append", "(Ljava/lang/Object;)Ljava/lang/StringBuilder;", "LL", 0, append_object),
    LIBRARY("java/lang/StringBuilder", "toString", "()" TEXT, "L", 0, first_field),
    LIBRARY("android/util/Log", "v", "(" TEXT TEXT ")I", "ILL", 1, log_v),
    LIBRARY("android/util/Log", "d", "(" TEXT TEXT ")I", "ILL", 1, log_d),
    LIBRARY("android/util/Log", "i", "(" TEXT TEXT ")I", "ILL", 1, log_i),
    LIBRARY("android/util/Log", "w", "(" TEXT TEXT ")I", "ILL", 1, log_w),
    LIBRARY("android/util/Log", "e", "(" TEXT TEXT ")I", "ILL", 1, log_e),
};
static Field library_fields[] = {{"java/lang/System", "out", "Ljava/io/PrintStream;", 1, 0, 0, 0}};
#define COUNT(list) ((int)(sizeof list / sizeof *(list)))

// -- classes

static Class* arrays[256];
static int array_count;

static int width_of(char letter) {
  switch (letter) {
    case 'Z':
    case 'B': return 1;
    case 'C':
    case 'S': return 2;
    case 'I':
    case 'F': return 4;
    case 'J':
    case 'D': return 8;
    default: return sizeof(Object*);
  }
}

static Object* new_object(Class* type) {
  Object* made = zeros(sizeof(Object) + 8 * (usize)(type->field_count ? type->field_count : 1));
  made->type = type;
  return made;
}

static void give_self(Class* type) {
  type->self = zeros(sizeof(Object) + 8);
  type->self->type = library_classes + 1;
  type->self->data[0] = (u64)(uptr)type;
}

static Class* class_of_array(const char* name);
/** A class, 0 where there is none. */
static Class* found_class(const char* name) {
  if (name[0] == '[') return class_of_array(name);
  for (int i = 0; i < COUNT(library_classes); i++)
    if (is_text(library_classes[i].name, name)) return library_classes + i;
  for (int i = 0; i < COUNT(world_classes); i++)
    if (world_classes[i].name && is_text(world_classes[i].name, name)) return world_classes + i;
  return 0;
}
static Class* class_named(const char* name) {
  Class* found = found_class(name);
  if (!found) fault("a class is not there", name);
  return found;
}
/** Of an array's name the class of its elements, 0 for numbers. */
static Class* class_of_elements(const char* name) {
  if (name[1] == '[') return found_class(name + 1);
  if (name[1] != 'L') return 0;
  static char element[256];
  int count = 0;
  for (int i = 2; name[i] && name[i] != ';'; i++) element[count++] = name[i];
  element[count] = 0;
  return found_class(element);
}
static Class* class_of_array(const char* name) {
  for (int i = 0; i < array_count; i++)
    if (is_text(arrays[i]->name, name)) return arrays[i];
  // `[La/B` and `[a/B` name no class.
  const int is_object = name[1] == 'L' || name[1] == '[';
  if (is_object ? !class_of_elements(name) || (name[1] == 'L' && name[length_of(name) - 1] != ';') : name[2] != 0) return 0;
  if (array_count == 256) fault("too many classes of arrays", 0);
  Class* made = zeros(sizeof(Class));
  char* copy = zeros((usize)length_of(name) + 1);
  memcpy(copy, name, (usize)length_of(name));
  *made = (Class){copy, "java/lang/Object", "java/lang/Cloneable ", library_classes, 0, width_of(name[1]), READY, 0};
  give_self(made);
  return arrays[array_count++] = made;
}

static int is_a(const Class* type, const Class* wanted) {
  for (const Class* one = type; one; one = one->above) {
    if (one == wanted) return 1;
    char name[128];
    int count = 0;
    for (const char* at = one->interfaces; *at; at++) {
      if (*at != ' ') {
        name[count++] = *at;
        continue;
      }
      name[count] = 0;
      count = 0;
      if (is_a(class_named(name), wanted)) return 1;
    }
  }
  if (type->name[0] != '[' || wanted->name[0] != '[') return 0;
  const Class* from = class_of_elements(type->name);
  const Class* to = class_of_elements(wanted->name);
  return from && to && is_a(from, to);
}

/** A method that the class itself or what is above it has. */
static Method* found_method(const Class* type, const char* name, const char* signature, int is_static) {
  for (const Class* one = type; one; one = one->above) {
    for (int i = 0; i < COUNT(library_methods) + COUNT(world_methods); i++) {
      Method* method = i < COUNT(library_methods) ? library_methods + i : world_methods + i - COUNT(library_methods);
      if (method->type == one && method->is_static == is_static && is_text(method->name, name) &&
          is_text(method->signature, signature))
        return method;
    }
    // A constructor is not inherited, except by exceptions of the library here.
    if (name[0] == '<' && one->state != READY) return 0;
  }
  for (const Class* one = type; one; one = one->above) {
    char part[128];
    int count = 0;
    for (const char* at = one->interfaces; *at; at++) {
      if (*at != ' ') {
        part[count++] = *at;
        continue;
      }
      part[count] = 0;
      count = 0;
      Method* found = found_method(class_named(part), name, signature, is_static);
      if (found) return found;
    }
  }
  return 0;
}
static Field* found_field(const Class* type, const char* name, const char* signature, int is_static) {
  for (const Class* one = type; one; one = one->above)
    for (int i = 0; i < COUNT(library_fields) + COUNT(world_fields); i++) {
      Field* field = i < COUNT(library_fields) ? library_fields + i : world_fields + i - COUNT(library_fields);
      if (field->owner && field->type == one && field->is_static == is_static && is_text(field->name, name) &&
          is_text(field->signature, signature))
        return field;
    }
  return 0;
}

static void place_fields(Class* type) {
  if (type->above == 0 && type->superclass) {
    type->above = class_named(type->superclass);
    place_fields(type->above);
    if (type->state == NEW) type->field_count = type->above->field_count;
    for (int i = 0; i < COUNT(world_fields); i++) {
      Field* field = world_fields + i;
      if (!field->owner || !is_text(field->owner, type->name)) continue;
      field->type = type;
      if (!field->is_static) field->place = type->field_count++;
    }
  }
  if (!type->self) give_self(type);
}
static void link_classes(void) {
  for (int i = 0; i < COUNT(library_classes); i++) place_fields(library_classes + i);
  for (int i = 0; i < COUNT(world_classes); i++)
    if (world_classes[i].name) place_fields(world_classes + i);
  for (int i = 0; i < COUNT(library_methods); i++) library_methods[i].type = class_named(library_methods[i].owner);
  for (int i = 0; i < COUNT(world_methods); i++) world_methods[i].type = class_named(world_methods[i].owner);
  library_fields[0].type = class_named("java/lang/System");
  library_fields[0].value = (u64)(uptr)new_object(class_named("java/io/PrintStream"));
}

/** Whether the class may be used; an exception is pending where not. */
static int is_initialised(Class* type) {
  if (type->state == READY || type->state == RUNNING) return 1;
  if (type->state == FAILED) {
    throw_new("java/lang/NoClassDefFoundError", type->name);
    return 0;
  }
  type->state = RUNNING;
  if (type->above && !is_initialised(type->above)) {
    type->state = FAILED;
    return 0;
  }
  for (int i = 0; i < COUNT(world_methods); i++) {
    Method* method = world_methods + i;
    if (method->type != type || !is_text(method->name, "<clinit>")) continue;
    invoke(method, 0, 0);
    if (!pending) continue;
    const int is_error = is_a(pending->type, class_named("java/lang/Error"));
    type->state = FAILED;
    if (!is_error) {
      pending = 0;
      throw_new("java/lang/ExceptionInInitializerError", 0);
    }
    return 0;
  }
  type->state = READY;
  return 1;
}

static Object* new_text(const u16* units, i32 count) {
  Object* made = zeros(sizeof(Object) + 2 * (usize)count + 2);
  made->type = library_classes + 2;
  made->length = count;
  if (units) memcpy(TEXT_UNITS(made), units, 2 * (usize)count);
  return made;
}
/** Modified UTF-8 (JNI specification, 'Modified UTF-8 Strings'). */
static Object* text_of_bytes(const char* bytes) {
  const u8* at = (const u8*)bytes;
  i32 count = 0;
  for (; *at; at++) count += (*at & 0xc0) != 0x80;
  Object* made = new_text(0, count);
  u16* unit = TEXT_UNITS(made);
  for (at = (const u8*)bytes; *at;) {
    if (*at < 0x80) *unit++ = *at++;
    else if (*at < 0xe0) *unit++ = (u16)((at[0] & 31) << 6 | (at[1] & 63)), at += 2;
    else *unit++ = (u16)((at[0] & 15) << 12 | (at[1] & 63) << 6 | (at[2] & 63)), at += 3;
  }
  return made;
}
static Object* new_array(Class* type, i32 length) {
  Object* made = zeros(sizeof(Object) + (usize)type->width * (usize)length + 8);
  made->type = type;
  made->length = length;
  return made;
}

static void throw_new(const char* type, const char* message) {
  if (pending) fault("a second exception", type);
  pending = new_object(class_named(type));
  if (message) pending->data[0] = (u64)(uptr)text_of_bytes(message);
}

// ---- references

enum { MOST_LOCALS = 1 << 14, MOST_GLOBALS = 1 << 14, MOST_FRAMES = 2048, DEEPEST = 1500 };
enum { LOCAL = 1, GLOBAL = 2 };
typedef struct {
  Object* object;
  int frame, previous, next;
  u32 serial;
} Local;
typedef struct {
  int first, live, most;
  const char* name;
} Frame;
static Local locals[MOST_LOCALS];
static int free_locals[MOST_LOCALS], free_count;
static Object* globals[MOST_GLOBALS];
static int global_count = 1;
static Frame frames[MOST_FRAMES];
static int frame;

static jobject local_of(Object* object) {
  if (!object) return 0;
  if (!free_count) fault("too many local references", frames[frame].name);
  const int i = free_locals[--free_count];
  Local* one = locals + i;
  Frame* own = frames + frame;
  one->object = object;
  one->frame = frame;
  one->serial = (one->serial + 1) & 0x7fff;
  one->previous = 0;
  one->next = own->first;
  if (own->first) locals[own->first].previous = i;
  own->first = i;
  if (++own->live > own->most) fault("local references are left over", own->name);
  return (jobject)(uptr)(one->serial << 17 | (u32)i << 2 | LOCAL);
}
static Local* local_entry(jobject reference) {
  const u32 bits = (u32)(uptr)reference;
  Local* one = locals + (bits >> 2 & (MOST_LOCALS - 1));
  if ((bits & 3) != LOCAL || !one->object || one->serial != bits >> 17) return 0;
  return one;
}
static Object* object_of(jobject reference, const char* where) {
  if (!reference) return 0;
  const u32 bits = (u32)(uptr)reference;
  if ((bits & 3) == GLOBAL && bits >> 2 < (u32)global_count && (uptr)reference == bits) return globals[bits >> 2];
  const Local* one = local_entry(reference);
  if (!one || (uptr)reference != bits) fault("no reference, or one that was deleted", where);
  if (one->frame != frame) fault("a reference of another call", where);
  return one->object;
}
static void delete_local(Local* one) {
  const int i = (int)(one - locals);
  Frame* own = frames + one->frame;
  if (one->previous) locals[one->previous].next = one->next;
  else own->first = one->next;
  if (one->next) locals[one->next].previous = one->previous;
  one->object = 0;
  own->live--;
  free_locals[free_count++] = i;
}

// ---- calls of native methods

static struct JNINativeInterface_ table;
static const struct JNINativeInterface_* env_table = &table;
#define ENV ((JNIEnv*)&env_table)
/** Functions that RegisterNatives got, by the letter of the result; `start` takes the image. */
static void* natives['Z' + 1];
static void* native_start;
/** Of the native method that runs: where the stack was. */
static uptr stack_at;
static uptr most_stack;
static const char* most_stack_in = "";

static const Object* expect(const Object* object, const char* where) {
  if (!object) fault("null", where);
  return object;
}

/** What every function of JNI checks first. `may_pend`: whether an exception may be pending. */
static void enter(const JNIEnv* env, const char* name, int may_pend) {
  // Its address is a multiple of 8 where the caller aligned the stack.
  u64 here;
  uptr at;
  __asm__ volatile("" : "=r"(at) : "0"(&here));
  if (at & 7) fault("the stack is not aligned", name);
  if (env != ENV) fault("not the environment", name);
  if (pending && !may_pend) fault("an exception is pending", name);
  if (stack_at && stack_at - at > most_stack) {
    most_stack = stack_at - at;
    most_stack_in = frames[frame].name;
  }
  change_registers();
}

static Word run_private(Method* method, Object* self, const Word* values) {
  const char* kinds = method->shorty + 1;
  int objects = !method->is_static, numbers = 0;
  for (const char* at = kinds; *at; at++) *at == 'L' ? objects++ : numbers++;
  Object* number_array = numbers ? new_array(class_named("[J"), numbers) : 0;
  Object* object_array = objects ? new_array(class_named("[Ljava/lang/Object;"), objects) : 0;
  int number = 0, object = 0;
  if (!method->is_static) ((Object**)object_array->data)[object++] = self;
  for (const char* at = kinds; *at; at++, values++) {
    // As the stub of vm-stub.ts: a number of 32 bits becomes a long with its sign.
    if (*at == 'L') ((Object**)object_array->data)[object++] = (Object*)(uptr)*values;
    else number_array->data[number++] = *at == 'J' || *at == 'D' ? *values : (u64)(i64)(i32)*values;
  }
  if (frame + 1 == MOST_FRAMES) fault("too many calls", method->name);
  // Registers, arguments, the last result, the caught exception, and what an instruction needs while it runs.
  frames[++frame] = (Frame){0, 0, method->registers + 3 + 2 + 4, method->name};
  const jclass type = local_of(class_named(OWNER)->self);
  const jobject first = local_of(number_array), second = local_of(object_array);
  const uptr outer = stack_at;
  u64 here;
  __asm__ volatile("" : "=r"(stack_at) : "0"(&here));
  const char result = method->shorty[0];
  void* const function = natives[(int)result];
  if (!function) fault("no native method for this result", method->shorty);
  Word value = 0;
#define CALL(kind) ((kind(*)(JNIEnv*, jclass, jint, jobject, jobject))function)(ENV, type, method->code, first, second)
  union {
    FloatBits number;
    u32 bits;
  } single;
  union {
    DoubleBits number;
    u64 bits;
  } twice;
  switch (result) {
    case 'V': CALL(void); break;
    case 'Z': value = CALL(u8); break;
    case 'B': value = (u32)(i32)CALL(i8); break;
    case 'C': value = CALL(u16); break;
    case 'S': value = (u32)(i32)CALL(i16); break;
    case 'I': value = CALL(u32); break;
    case 'J': value = CALL(u64); break;
    case 'F':
      single.number = CALL(FloatBits);
      value = single.bits;
      break;
    case 'D':
      twice.number = CALL(DoubleBits);
      value = twice.bits;
      break;
    default: {
      const jobject made = CALL(jobject);
      if (!pending) value = (Word)(uptr)object_of(made, "the result");
    }
  }
  stack_at = outer;
  while (frames[frame].first) delete_local(locals + frames[frame].first);
  frame--;
  return pending ? 0 : value;
}

static Word invoke(Method* method, Object* self, const Word* values) {
  if (method->code < 0) return method->library ? method->library(self, values) : (fault("an abstract method", method->name), 0);
  if (frame >= DEEPEST) {
    throw_new("java/lang/StackOverflowError", 0);
    return 0;
  }
  return run_private(method, self, values);
}

// ---- functions of JNI

static Narrow narrow(u64 value, int bits) {
#if defined(__aarch64__)
  const u64 mask = (1ULL << bits) - 1;
  return (value & mask) | (0xa5a5a5a5a5a5a5a5ULL & ~mask);
#else
  (void)bits;
  return (u32)value;
#endif
}

static Class* type_in(jobject reference, const char* where) {
  const Object* object = expect(object_of(reference, where), where);
  if (object->type != library_classes + 1) fault("not a class", where);
  return (Class*)(uptr)object->data[0];
}

static jclass find_class(JNIEnv* env, const char* name) {
  enter(env, "FindClass", 0);
  Class* found = found_class(name);
  if (found) return local_of(found->self);
  throw_new("java/lang/NoClassDefFoundError", name);
  return 0;
}
static Narrow throw_object(JNIEnv* env, jthrowable reference) {
  enter(env, "Throw", 0);
  Object* object = object_of(reference, "Throw");
  if (!is_a(expect(object, "Throw")->type, class_named("java/lang/Throwable"))) fault("not an exception", "Throw");
  pending = object;
  return narrow(0, 32);
}
static Narrow throw_of_class(JNIEnv* env, jclass reference, const char* message) {
  enter(env, "ThrowNew", 0);
  throw_new(type_in(reference, "ThrowNew")->name, message);
  return narrow(0, 32);
}
static jthrowable exception_occurred(JNIEnv* env) {
  enter(env, "ExceptionOccurred", 1);
  return local_of(pending);
}
static void exception_clear(JNIEnv* env) {
  enter(env, "ExceptionClear", 1);
  pending = 0;
}
static Narrow exception_check(JNIEnv* env) {
  enter(env, "ExceptionCheck", 1);
  return narrow(pending != 0, 8);
}
static jobject new_global(JNIEnv* env, jobject reference) {
  enter(env, "NewGlobalRef", 0);
  Object* object = object_of(reference, "NewGlobalRef");
  if (!object) return 0;
  if (global_count == MOST_GLOBALS) fault("too many global references", 0);
  globals[global_count] = object;
  return (jobject)(uptr)((u32)global_count++ << 2 | GLOBAL);
}
static void delete_local_reference(JNIEnv* env, jobject reference) {
  enter(env, "DeleteLocalRef", 1);
  if (!reference) return;
  object_of(reference, "DeleteLocalRef");
  Local* one = local_entry(reference);
  if (!one) fault("not a local reference", "DeleteLocalRef");
  delete_local(one);
}
static Narrow is_same(JNIEnv* env, jobject one, jobject other) {
  enter(env, "IsSameObject", 0);
  return narrow(object_of(one, "IsSameObject") == object_of(other, "IsSameObject"), 8);
}
static jobject new_local(JNIEnv* env, jobject reference) {
  enter(env, "NewLocalRef", 0);
  return local_of(object_of(reference, "NewLocalRef"));
}
static jobject alloc_object(JNIEnv* env, jclass reference) {
  enter(env, "AllocObject", 0);
  Class* type = type_in(reference, "AllocObject");
  return is_initialised(type) ? local_of(new_object(type)) : 0;
}
static Narrow is_instance(JNIEnv* env, jobject reference, jclass type) {
  enter(env, "IsInstanceOf", 0);
  const Class* wanted = type_in(type, "IsInstanceOf");
  const Object* object = object_of(reference, "IsInstanceOf");
  return narrow(!object || is_a(object->type, wanted), 8);
}
static jmethodID method_id(Class* type, const char* name, const char* signature, int is_static) {
  if (!is_initialised(type)) return 0;
  Method* found = found_method(type, name, signature, is_static);
  if (!found) {
    put_text(&errors, type->name);
    put_text(&errors, " has no ");
    put_text(&errors, name);
    put_text(&errors, signature);
    put_byte(&errors, '\n');
    throw_new("java/lang/NoSuchMethodError", name);
  }
  return (jmethodID)found;
}
static jmethodID get_method(JNIEnv* env, jclass type, const char* name, const char* signature) {
  enter(env, "GetMethodID", 0);
  return method_id(type_in(type, "GetMethodID"), name, signature, 0);
}
static jmethodID get_static_method(JNIEnv* env, jclass type, const char* name, const char* signature) {
  enter(env, "GetStaticMethodID", 0);
  return method_id(type_in(type, "GetStaticMethodID"), name, signature, 1);
}
static jfieldID field_id(Class* type, const char* name, const char* signature, int is_static) {
  if (!is_initialised(type)) return 0;
  Field* found = found_field(type, name, signature, is_static);
  if (!found) throw_new("java/lang/NoSuchFieldError", name);
  return (jfieldID)found;
}
static jfieldID get_field(JNIEnv* env, jclass type, const char* name, const char* signature) {
  enter(env, "GetFieldID", 0);
  return field_id(type_in(type, "GetFieldID"), name, signature, 0);
}
static jfieldID get_static_field(JNIEnv* env, jclass type, const char* name, const char* signature) {
  enter(env, "GetStaticFieldID", 0);
  return field_id(type_in(type, "GetStaticFieldID"), name, signature, 1);
}

static Method* checked_method(jmethodID id, char kind, int is_static, const char* where) {
  Method* method = (Method*)id;
  const int is_known = (method >= library_methods && method < library_methods + COUNT(library_methods)) ||
                       (method >= world_methods && method < world_methods + COUNT(world_methods));
  if (!is_known) fault("no identifier of a method", where);
  if (method->shorty[0] != kind || method->is_static != is_static) fault("the method is of another kind", where);
  return method;
}

/** The arguments of jvalue; they lie at a multiple of 8 bytes. */
static void take(const Method* method, const jvalue* given, Word* values, const char* where) {
  if ((uptr)given & 7) fault("arguments that are not aligned", where);
  for (const char* at = method->shorty + 1; *at; at++, given++, values++) {
    switch (*at) {
      case 'Z': *values = given->z; break;
      case 'B': *values = (u32)(i32)given->b; break;
      case 'C': *values = given->c; break;
      case 'S': *values = (u32)(i32)given->s; break;
      case 'J':
      case 'D': *values = (u64)given->j; break;
      case 'L': *values = (Word)(uptr)object_of(given->l, where); break;
      default: *values = (u32)given->i;
    }
    if (*at == 'Z' && *values > 1) fault("neither true nor false", where);
  }
}

enum { VIRTUAL, NONVIRTUAL, STATIC };
static const char* const call_names[] = {"Call<Type>MethodA", "CallNonvirtual<Type>MethodA", "CallStatic<Type>MethodA"};
/** Its frame is large: it is no part of what `enter` measures. */
static __attribute__((noinline)) Word make_call(int mode, char kind, jobject on, jclass type, jmethodID id, const jvalue* given) {
  const char* const where = call_names[mode];
  Method* method = checked_method(id, kind, mode == STATIC, where);
  Word values[260];
  take(method, given, values, where);
  if (mode == STATIC) {
    if (!is_a(type_in(type, where), method->type)) fault("the method is of another class", where);
    return invoke(method, 0, values);
  }
  Object* self = object_of(on, where);
  if (!is_a(expect(self, where)->type, method->type)) fault("the object is of another class", where);
  if (mode == NONVIRTUAL) {
    if (!is_a(type_in(type, where), method->type)) fault("the method is of another class", where);
    return invoke(method, self, values);
  }
  if (method->name[0] == '<') fault("a constructor is not virtual", where);
  return invoke(found_method(self->type, method->name, method->signature, 0), self, values);
}

static Word call(JNIEnv* env, int mode, char kind, jobject on, jclass type, jmethodID id, const jvalue* given) {
  enter(env, call_names[mode], 0);
  return make_call(mode, kind, on, type, id, given);
}

static Field* checked_field(jfieldID id, char kind, int is_static, const char* where) {
  Field* field = (Field*)id;
  const int is_known = (field >= library_fields && field < library_fields + COUNT(library_fields)) ||
                       (field >= world_fields && field < world_fields + COUNT(world_fields));
  if (!is_known) fault("no identifier of a field", where);
  const char own = field->signature[0] == '[' ? 'L' : field->signature[0];
  if (own != kind || field->is_static != is_static) fault("the field is of another kind", where);
  return field;
}
static u64* place_of_field(JNIEnv* env, int is_static, int writes, char kind, jobject on, jfieldID id) {
  static const char* const names[] = {"Get<Type>Field", "Set<Type>Field", "GetStatic<Type>Field", "SetStatic<Type>Field"};
  const char* const where = names[2 * is_static + writes];
  enter(env, where, 0);
  Field* field = checked_field(id, kind, is_static, where);
  if (is_static) {
    if (!is_a(type_in(on, where), field->type)) fault("the field is of another class", where);
    return &field->value;
  }
  Object* object = object_of(on, where);
  if (!is_a(expect(object, where)->type, field->type)) fault("the object is of another class", where);
  return object->data + field->place;
}

static FloatBits float_of(u64 bits) {
  union {
    u32 bits;
    FloatBits number;
  } both = {(u32)bits};
  return both.number;
}
static DoubleBits double_of(u64 bits) {
  union {
    u64 bits;
    DoubleBits number;
  } both = {bits};
  return both.number;
}
static u64 bits_of_float(FloatBits number) {
  union {
    FloatBits number;
    u32 bits;
  } both = {number};
  return both.bits;
}
static u64 bits_of_double(DoubleBits number) {
  union {
    DoubleBits number;
    u64 bits;
  } both = {number};
  return both.bits;
}
static u64 number_of(u64 value) { return value; }
static jobject reference_of(u64 object) { return local_of((Object*)(uptr)object); }
static u64 of_reference(jobject reference) { return (u64)(uptr)object_of(reference, "Set<Type>Field"); }
static u64 sign_8(u64 value) { return (u32)(i32)(i8)value; }
static u64 sign_16(u64 value) { return (u32)(i32)(i16)value; }
static Narrow narrow_8(u64 value) { return narrow(value, 8); }
static Narrow narrow_16(u64 value) { return narrow(value, 16); }
static Narrow narrow_32(u64 value) { return narrow(value, 32); }

// Name in JNI, letter, type of a parameter, type of a result, bits to result, parameter to bits.
#define NUMBERS(DO)                                              \
  DO(Boolean, 'Z', u8, Narrow, narrow_8, number_of)              \
  DO(Byte, 'B', i8, Narrow, narrow_8, sign_8)                    \
  DO(Char, 'C', u16, Narrow, narrow_16, number_of)               \
  DO(Short, 'S', i16, Narrow, narrow_16, sign_16)                \
  DO(Int, 'I', i32, Narrow, narrow_32, number_of)                \
  DO(Long, 'J', u64, u64, number_of, number_of)                  \
  DO(Float, 'F', FloatBits, FloatBits, float_of, bits_of_float)  \
  DO(Double, 'D', DoubleBits, DoubleBits, double_of, bits_of_double)
#define KINDS(DO) DO(Object, 'L', jobject, jobject, reference_of, of_reference) NUMBERS(DO)

#define CALLS(name, letter, parameter, result, made, bits)                                                              \
  static result call_##name(JNIEnv* env, jobject on, jmethodID id, const jvalue* given) {                               \
    return made(call(env, VIRTUAL, letter, on, 0, id, given));                                                          \
  }                                                                                                                     \
  static result call_nonvirtual_##name(JNIEnv* env, jobject on, jclass type, jmethodID id, const jvalue* given) {       \
    return made(call(env, NONVIRTUAL, letter, on, type, id, given));                                                    \
  }                                                                                                                     \
  static result call_static_##name(JNIEnv* env, jclass type, jmethodID id, const jvalue* given) {                       \
    return made(call(env, STATIC, letter, 0, type, id, given));                                                         \
  }
KINDS(CALLS)
static void call_void(JNIEnv* env, jobject on, jmethodID id, const jvalue* given) {
  call(env, VIRTUAL, 'V', on, 0, id, given);
}
static void call_nonvirtual_void(JNIEnv* env, jobject on, jclass type, jmethodID id, const jvalue* given) {
  call(env, NONVIRTUAL, 'V', on, type, id, given);
}
static void call_static_void(JNIEnv* env, jclass type, jmethodID id, const jvalue* given) {
  call(env, STATIC, 'V', 0, type, id, given);
}
static __attribute__((noinline)) jobject make_object(jclass reference, jmethodID id, const jvalue* given) {
  Class* type = type_in(reference, "NewObjectA");
  Method* method = checked_method(id, 'V', 0, "NewObjectA");
  Word values[260];
  take(method, given, values, "NewObjectA");
  if (type == library_classes + 2) return local_of((Object*)(uptr)invoke(method, 0, values));
  Object* made = new_object(type);
  invoke(method, made, values);
  return pending ? 0 : local_of(made);
}
static jobject new_object_of(JNIEnv* env, jclass reference, jmethodID id, const jvalue* given) {
  enter(env, "NewObjectA", 0);
  return make_object(reference, id, given);
}

#define FIELDS(name, letter, parameter, result, made, bits)                                           \
  static result get_##name(JNIEnv* env, jobject on, jfieldID id) {                                    \
    return made(*place_of_field(env, 0, 0, letter, on, id));                                          \
  }                                                                                                   \
  static void set_##name(JNIEnv* env, jobject on, jfieldID id, parameter value) {                     \
    u64* const place = place_of_field(env, 0, 1, letter, on, id);                                     \
    *place = (u64)bits(value);                                                                        \
  }                                                                                                   \
  static result get_static_##name(JNIEnv* env, jclass type, jfieldID id) {                            \
    return made(*place_of_field(env, 1, 0, letter, type, id));                                        \
  }                                                                                                   \
  static void set_static_##name(JNIEnv* env, jclass type, jfieldID id, parameter value) {             \
    u64* const place = place_of_field(env, 1, 1, letter, type, id);                                   \
    *place = (u64)bits(value);                                                                        \
  }
KINDS(FIELDS)

static jstring new_string(JNIEnv* env, const char* bytes) {
  enter(env, "NewStringUTF", 0);
  return local_of(text_of_bytes(bytes));
}
static Object* array_in(jarray reference, const char* name, const char* where) {
  Object* array = object_of(reference, where);
  expect(array, where);
  if (name ? !is_text(array->type->name, name) : array->type->name[0] != '[') fault("an array of another kind", where);
  return array;
}
static Narrow get_length(JNIEnv* env, jarray reference) {
  enter(env, "GetArrayLength", 0);
  return narrow((u32)array_in(reference, 0, "GetArrayLength")->length, 32);
}
static jobjectArray new_object_array(JNIEnv* env, jsize length, jclass type, jobject initial) {
  enter(env, "NewObjectArray", 0);
  const char* element = type_in(type, "NewObjectArray")->name;
  if (length < 0 || initial) fault("not as the interpreter makes arrays", "NewObjectArray");
  static char name[260];
  int count = 0;
  name[count++] = '[';
  if (*element != '[') name[count++] = 'L';
  for (const char* at = element; *at; at++) name[count++] = *at;
  if (*element != '[') name[count++] = ';';
  name[count] = 0;
  return local_of(new_array(class_named(name), length));
}
static Object** element_in(jobjectArray reference, jsize index, const char* where) {
  Object* array = object_of(reference, where);
  expect(array, where);
  if (array->type->name[0] != '[' || !class_of_elements(array->type->name)) fault("an array of another kind", where);
  if (index < 0 || index >= array->length) fault("an element that is not there", where);
  return (Object**)array->data + index;
}
static jobject get_element(JNIEnv* env, jobjectArray array, jsize index) {
  enter(env, "GetObjectArrayElement", 0);
  return local_of(*element_in(array, index, "GetObjectArrayElement"));
}
static void set_element(JNIEnv* env, jobjectArray array, jsize index, jobject value) {
  enter(env, "SetObjectArrayElement", 0);
  Object** const place = element_in(array, index, "SetObjectArrayElement");
  Object* object = object_of(value, "SetObjectArrayElement");
  const Class* type = class_of_elements(object_of(array, 0)->type->name);
  if (object && !is_a(object->type, type)) throw_new("java/lang/ArrayStoreException", object->type->name);
  else *place = object;
}
static void* region(JNIEnv* env, jarray reference, char kind, int width, jsize from, jsize count, const void* buffer, const char* where) {
  enter(env, where, 0);
  const char name[] = {'[', kind, 0};
  Object* array = array_in(reference, name, where);
  if (from < 0 || count < 0 || from + count > array->length) fault("elements that are not there", where);
  if ((uptr)buffer & (uptr)(width - 1)) fault("a buffer that is not aligned", where);
  return (u8*)array->data + from * width;
}
#define ARRAYS(name, letter, parameter, result, made, bits)                                                               \
  static jarray new_##name##_array(JNIEnv* env, jsize length) {                                                           \
    enter(env, "New<Type>Array", 0);                                                                                      \
    const char type[] = {'[', letter, 0};                                                                                 \
    if (length < 0) fault("a negative length", "New<Type>Array");                                                         \
    return local_of(new_array(class_named(type), length));                                                                \
  }                                                                                                                       \
  static void get_##name##_region(JNIEnv* env, jarray array, jsize from, jsize count, void* to) {                         \
    const void* at = region(env, array, letter, sizeof(parameter), from, count, to, "Get<Type>ArrayRegion");              \
    memcpy(to, at, sizeof(parameter) * (usize)count);                                                                     \
  }                                                                                                                       \
  static void set_##name##_region(JNIEnv* env, jarray array, jsize from, jsize count, const void* given) {                \
    void* at = region(env, array, letter, sizeof(parameter), from, count, given, "Set<Type>ArrayRegion");                 \
    memcpy(at, given, sizeof(parameter) * (usize)count);                                                                  \
  }
NUMBERS(ARRAYS)

static Narrow register_natives(JNIEnv* env, jclass type, const JNINativeMethod* methods, jint count) {
  enter(env, "RegisterNatives", 0);
  if (type_in(type, "RegisterNatives") != class_named(OWNER)) fault("another class", "RegisterNatives");
  static const char prefix[] = "(I[J[Ljava/lang/Object;)";
  for (jint i = 0; i < count; i++) {
    const char* signature = methods[i].signature;
    if (!is_text(methods[i].name, "a")) fault("a native method of another name", methods[i].name);
    if (is_text(signature, "([B)V")) {
      native_start = methods[i].fnPtr;
      continue;
    }
    int at = 0;
    while (prefix[at] && signature[at] == prefix[at]) at++;
    if (prefix[at]) fault("a native method with another signature", signature);
    natives[(int)signature[at]] = methods[i].fnPtr;
  }
  return narrow(0, 32);
}
static void unexpected(void) { fault("a function of JNI that the interpreter does not need", 0); }

static void fill_table(void) {
  void** all = (void**)&table;
  for (usize i = 0; i < sizeof table / sizeof(void*); i++) all[i] = (void*)unexpected;
#define IS(name, function) table.name = (void*)function
  IS(FindClass, find_class);
  IS(Throw, throw_object);
  IS(ThrowNew, throw_of_class);
  IS(ExceptionOccurred, exception_occurred);
  IS(ExceptionClear, exception_clear);
  IS(ExceptionCheck, exception_check);
  IS(NewGlobalRef, new_global);
  IS(DeleteLocalRef, delete_local_reference);
  IS(IsSameObject, is_same);
  IS(NewLocalRef, new_local);
  IS(AllocObject, alloc_object);
  IS(NewObjectA, new_object_of);
  IS(IsInstanceOf, is_instance);
  IS(GetMethodID, get_method);
  IS(GetStaticMethodID, get_static_method);
  IS(GetFieldID, get_field);
  IS(GetStaticFieldID, get_static_field);
  IS(NewStringUTF, new_string);
  IS(GetArrayLength, get_length);
  IS(NewObjectArray, new_object_array);
  IS(GetObjectArrayElement, get_element);
  IS(SetObjectArrayElement, set_element);
  IS(RegisterNatives, register_natives);
  IS(CallVoidMethodA, call_void);
  IS(CallNonvirtualVoidMethodA, call_nonvirtual_void);
  IS(CallStaticVoidMethodA, call_static_void);
#define IN_TABLE(name, letter, parameter, result, made, bits)  \
  IS(Call##name##MethodA, call_##name);                        \
  IS(CallNonvirtual##name##MethodA, call_nonvirtual_##name);   \
  IS(CallStatic##name##MethodA, call_static_##name);           \
  IS(Get##name##Field, get_##name);                            \
  IS(Set##name##Field, set_##name);                            \
  IS(GetStatic##name##Field, get_static_##name);               \
  IS(SetStatic##name##Field, set_static_##name);
  KINDS(IN_TABLE)
#define ARRAYS_IN_TABLE(name, letter, parameter, result, made, bits) \
  IS(New##name##Array, new_##name##_array);                          \
  IS(Get##name##ArrayRegion, get_##name##_region);                   \
  IS(Set##name##ArrayRegion, set_##name##_region);
  NUMBERS(ARRAYS_IN_TABLE)
}

static Narrow get_env(JavaVM* vm, void** env, jint version) {
  (void)vm;
  if (version != 0x10006) fault("another version of JNI", 0);
  *env = ENV;
  return narrow(0, 32);
}

// ---- the library

typedef struct {
  u8 ident[16];
  u16 type, machine;
  u32 version;
  uptr entry, programs, sections;
  u32 flags;
  u16 size, program_size, program_count, section_size, section_count, names;
} ElfHeader;
#if __SIZEOF_POINTER__ == 8
typedef struct {
  u32 type, flags;
  uptr offset, address, physical, file_size, memory_size, align;
} Program;
typedef struct {
  u32 name;
  u8 info, other;
  u16 section;
  uptr value, size;
} Symbol;
enum { TABLE_OF_RELOCATIONS = 7, SIZE_OF_RELOCATIONS = 8, RELOCATION_WORDS = 3 };
#else
typedef struct {
  u32 type, offset, address, physical, file_size, memory_size, flags, align;
} Program;
typedef struct {
  u32 name;
  uptr value, size;
  u8 info, other;
  u16 section;
} Symbol;
enum { TABLE_OF_RELOCATIONS = 17, SIZE_OF_RELOCATIONS = 18, RELOCATION_WORDS = 2 };
#endif
enum { LOADED = 1, DYNAMIC = 2, READ_ONLY_AFTERWARDS = 0x6474e552 };
#define PAGE 4096

static u8* read_file(const char* path, long* size) {
  const long file = system_call(OPEN, -100, (long)path, 0, 0, 0, 0);
  if (file < 0) fault("cannot be opened", path);
  u8* bytes = pages(1 << 22);
  *size = 0;
  for (;;) {
    const long got = system_call(READ, file, (long)(bytes + *size), (1 << 22) - *size, 0, 0, 0);
    if (got < 0) fault("cannot be read", path);
    if (!got) return bytes;
    *size += got;
  }
}

static void protect(u8* base, const Program* one, int access) {
  const uptr from = (one->address) & ~(uptr)(PAGE - 1);
  const uptr to = (one->address + one->memory_size + PAGE - 1) & ~(uptr)(PAGE - 1);
  if (system_call(MPROTECT, (long)(base + from), (long)(to - from), access, 0, 0, 0)) fault("mprotect", 0);
}

/** Gives the address of JNI_OnLoad. Segments have the access that they ask for; the only relocations are those of addresses in the library. */
static void* load_library(const char* path) {
  long size;
  const u8* file = read_file(path, &size);
  const ElfHeader* header = (const ElfHeader*)file;
  const Program* programs = (const Program*)(file + header->programs);
  uptr end = 0;
  for (int i = 0; i < header->program_count; i++)
    if (programs[i].type == LOADED && programs[i].address + programs[i].memory_size > end)
      end = programs[i].address + programs[i].memory_size;
  // A multiple of 16 KiB, the pages of some devices.
  u8* base = (u8*)(((uptr)pages(end + 0x8000) + 0x3fff) & ~(uptr)0x3fff);
  const uptr* dynamic = 0;
  for (int i = 0; i < header->program_count; i++) {
    if (programs[i].type == LOADED) memcpy(base + programs[i].address, file + programs[i].offset, programs[i].file_size);
    if (programs[i].type == DYNAMIC) dynamic = (const uptr*)(base + programs[i].address);
  }
  const uptr* relocations = 0;
  const Symbol* symbols = 0;
  const char* names = 0;
  const u32* hash = 0;
  usize relocation_count = 0;
  for (; dynamic[0]; dynamic += 2) {
    if (dynamic[0] == TABLE_OF_RELOCATIONS) relocations = (const uptr*)(base + dynamic[1]);
    if (dynamic[0] == SIZE_OF_RELOCATIONS)
      for (uptr left = dynamic[1]; left; left -= RELOCATION_WORDS * sizeof(uptr)) relocation_count++;
    if (dynamic[0] == 6) symbols = (const Symbol*)(base + dynamic[1]);
    if (dynamic[0] == 5) names = (const char*)(base + dynamic[1]);
    if (dynamic[0] == 4) hash = (const u32*)(base + dynamic[1]);
  }
  for (usize i = 0; i < relocation_count; i++, relocations += RELOCATION_WORDS) {
    if ((relocations[1] & 0xffffffff) != RELATIVE) fault("a relocation of another kind", path);
    uptr* const place = (uptr*)(base + relocations[0]);
#if __SIZEOF_POINTER__ == 8
    *place = (uptr)base + relocations[2];
#else
    *place += (uptr)base;
#endif
  }
  for (int i = 0; i < header->program_count; i++) {
    const u32 flags = programs[i].flags;
    if (programs[i].type == LOADED) protect(base, programs + i, (flags & 4 ? 1 : 0) | (flags & 2) | (flags & 1 ? 4 : 0));
  }
  for (int i = 0; i < header->program_count; i++)
    if (programs[i].type == READ_ONLY_AFTERWARDS) protect(base, programs + i, 1);
  for (u32 i = 0; hash && i < hash[1]; i++)
    if (is_text(names + symbols[i].name, "JNI_OnLoad")) return base + symbols[i].value;
  fault("no JNI_OnLoad", path);
}

static void* invocation[8];
static void* const* vm_table = invocation;

static void begin(Output* to, const char* name) {
  put_byte(to, 0);
  put_text(to, name);
  put_byte(to, '\n');
}

__attribute__((used)) static void run(uptr* stack) {
  const int count = (int)stack[0];
  const char** arguments = (const char**)(stack + 1);
  if (count < 4) fault("runner LIBRARY IMAGE CLASS...", 0);
  for (int i = MOST_LOCALS - 1; i; i--) free_locals[free_count++] = i;
  fill_table();
  link_classes();
  for (int i = 0; i < 8; i++) invocation[i] = (void*)unexpected;
  invocation[6] = (void*)get_env;
  frames[0] = (Frame){0, 0, 64, "the library"};
  void* const on_load = load_library(arguments[1]);
  if (((jint(*)(JavaVM*, void*))on_load)((JavaVM*)&vm_table, 0) != 0x10006) fault("JNI_OnLoad", 0);
  if (!native_start) fault("no native method takes the image", 0);
  long size;
  const u8* image = read_file(arguments[2], &size);
  Object* bytes = new_array(class_named("[B"), (i32)size);
  memcpy(bytes->data, image, (usize)size);
  ((void (*)(JNIEnv*, jclass, jbyteArray))native_start)(ENV, local_of(class_named(OWNER)->self), local_of(bytes));
  if (pending) fault("the image is not taken", pending->type->name);
  for (int i = 3; i < count; i++) {
    begin(&out, arguments[i]);
    begin(&errors, arguments[i]);
    Class* type = class_named(arguments[i]);
    Method* main = found_method(type, "main", "([Ljava/lang/String;)V", 1);
    if (!main) fault("no main", type->name);
    const Word none = (Word)(uptr)new_array(class_named("[Ljava/lang/String;"), 0);
    if (is_initialised(type)) invoke(main, 0, &none);
    if (!pending) continue;
    put_byte(&out, 1);
    put_text(&out, pending->type->name);
    pending = 0;
  }
  begin(&out, "*");
  put_text(&out, decimal((i64)most_stack));
  put_byte(&out, ' ');
  put_text(&out, most_stack_in);
  put_byte(&out, ' ');
  put_text(&out, decimal(global_count - 1));
  leave(0);
}

#if defined(__aarch64__)
__asm__(".globl _start\n_start:\n mov x0, sp\n b run\n");
#elif defined(__arm__)
__asm__(".globl _start\n_start:\n mov r0, sp\n bic sp, sp, #7\n b run\n");
#else
__asm__(".globl _start\n_start:\n mov %rsp, %rdi\n call run\n");
#endif
