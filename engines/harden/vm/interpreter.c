// Runs the private code of virtualised methods (engines/harden/vm) through JNI. Built by scripts/build-harden-vm.mjs for each ABI without any
// library: memory comes from the kernel, remainders and conversions that compilers leave to a library are computed here.
// The code of a build is data (vm-image.ts); its opcodes, key and class are written over `build` below.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __SIZE_TYPE__ size;
typedef void* Ref;
/** JNIEnv* and JavaVM*: what they point to begins with a table of functions. */
typedef const void* const** Env;
typedef union {
  u64 bits;
  Ref object;
} Value;

#define JNI(number, result, ...) ((result(*)(Env, __VA_ARGS__))(*env)[number])
#define JNI0(number, result) ((result(*)(Env))(*env)[number])

// Numbers of functions in the JNI table ('JNI Functions', interface function table).
enum {
  FIND_CLASS = 6,
  THROW = 13,
  THROW_NEW = 14,
  EXCEPTION_OCCURRED = 15,
  EXCEPTION_CLEAR = 17,
  NEW_GLOBAL = 21,
  DELETE_LOCAL = 23,
  IS_SAME = 24,
  NEW_LOCAL = 25,
  ALLOC_OBJECT = 27,
  NEW_OBJECT = 30,
  IS_INSTANCE = 32,
  GET_METHOD = 33,
  CALL = 36,
  CALL_NONVIRTUAL = 66,
  GET_FIELD_ID = 94,
  GET_FIELD = 95,
  SET_FIELD = 104,
  GET_STATIC_METHOD = 113,
  CALL_STATIC = 116,
  GET_STATIC_FIELD_ID = 144,
  GET_STATIC_FIELD = 145,
  SET_STATIC_FIELD = 154,
  NEW_STRING_UTF = 167,
  GET_LENGTH = 171,
  NEW_OBJECT_ARRAY = 172,
  GET_ELEMENT = 173,
  SET_ELEMENT = 174,
  // Below, kinds count from boolean on (Z is 1).
  NEW_ARRAY = 174,
  GET_REGION = 198,
  SET_REGION = 206,
  REGISTER_NATIVES = 215,
  EXCEPTION_CHECK = 228,
  GET_ENV = 6,
};
#define JNI_VERSION 0x10006

/** What a build writes over: found by its mark. */
__attribute__((visibility("hidden"), aligned(16))) struct {
  u8 mark[16];
  u32 key[4];
  /** Handler of each opcode. */
  u8 handlers[256];
  /** Name of the class with the native methods, with slashes. */
  char owner[64];
} build = {{'v', 'm', '-', 'b', 'u', 'i', 'l', 'd', '-', 'h', 'e', 'r', 'e', '-', '-', '>'}, {1}, {1}, {1}};

// ---- what compilers leave to a library

__attribute__((visibility("hidden"))) void* memset(void* to, int value, size count) {
  volatile u8* at = to;
  while (count--) *at++ = (u8)value;
  return to;
}

__attribute__((visibility("hidden"))) void* memcpy(void* to, const void* from, size count) {
  volatile u8* at = to;
  const u8* source = from;
  while (count--) *at++ = *source++;
  return to;
}

#if defined(__arm__)
__attribute__((visibility("hidden"))) void __aeabi_memcpy(void* to, const void* from, size count) { memcpy(to, from, count); }
__attribute__((visibility("hidden"))) void __aeabi_memcpy4(void* to, const void* from, size count) { memcpy(to, from, count); }
__attribute__((visibility("hidden"))) void __aeabi_memcpy8(void* to, const void* from, size count) { memcpy(to, from, count); }
__attribute__((visibility("hidden"))) void __aeabi_memset(void* to, size count, int value) { memset(to, value, count); }
__attribute__((visibility("hidden"))) void __aeabi_memset4(void* to, size count, int value) { memset(to, value, count); }
__attribute__((visibility("hidden"))) void __aeabi_memset8(void* to, size count, int value) { memset(to, value, count); }
__attribute__((visibility("hidden"))) void __aeabi_memclr(void* to, size count) { memset(to, 0, count); }
__attribute__((visibility("hidden"))) void __aeabi_memclr4(void* to, size count) { memset(to, 0, count); }
__attribute__((visibility("hidden"))) void __aeabi_memclr8(void* to, size count) { memset(to, 0, count); }
#endif

/** Memory of zeros that is never given back; 0 where there is none. */
static void* pages(size bytes) {
  const long flags = 0x22, access = 3;
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = flags;
  register long r8 __asm__("r8") = -1;
  register long r9 __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(9L), "D"(0L), "S"(bytes), "d"(access), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = 222;
  register long result __asm__("x0") = 0;
  register long x1 __asm__("x1") = (long)bytes;
  register long x2 __asm__("x2") = access;
  register long x3 __asm__("x3") = flags;
  register long x4 __asm__("x4") = -1;
  register long x5 __asm__("x5") = 0;
  __asm__ volatile("svc #0" : "+r"(result) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
#elif defined(__arm__)
  register long r7 __asm__("r7") = 192;
  register long result __asm__("r0") = 0;
  register long r1 __asm__("r1") = (long)bytes;
  register long r2 __asm__("r2") = access;
  register long r3 __asm__("r3") = flags;
  register long r4 __asm__("r4") = -1;
  register long r5 __asm__("r5") = 0;
  __asm__ volatile("svc #0" : "+r"(result) : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5) : "memory");
#endif
  return (unsigned long)result > (unsigned long)-4096 ? 0 : (void*)result;
}

static u64 divide(u64 value, u64 by, u64* rest) {
#if __SIZEOF_POINTER__ == 8
  *rest = value % by;
  return value / by;
#else
  if (!((value | by) >> 32)) {
    // Processors of armeabi-v7a need not divide integers. A double holds both exactly, and its quotient is off by less than 1 / by.
    const u32 whole = (u32)((double)(u32)value / (double)(u32)by);
    *rest = (u32)value - whole * (u32)by;
    return whole;
  }
  u64 quotient = 0, left = 0;
  for (int bit = 63; bit >= 0; bit--) {
    left = left << 1 | (value >> bit & 1);
    if (left >= by) {
      left -= by;
      quotient |= 1ULL << bit;
    }
  }
  *rest = left;
  return quotient;
#endif
}

/** Quotient and rest as Java defines them: the rest has the sign of the dividend, the least number by -1 is itself. */
static i64 divide_signed(i64 value, i64 by, i64* rest) {
  u64 left;
  const u64 quotient = divide(value < 0 ? 0 - (u64)value : (u64)value, by < 0 ? 0 - (u64)by : (u64)by, &left);
  *rest = (i64)(value < 0 ? 0 - left : left);
  return (i64)((value < 0) != (by < 0) ? 0 - quotient : quotient);
}

static double double_of(u64 bits) {
  union {
    u64 bits;
    double value;
  } both = {bits};
  return both.value;
}
static u64 bits_of(double value) {
  union {
    double value;
    u64 bits;
  } both = {value};
  return both.bits;
}
static float float_of(u64 bits) {
  union {
    u32 bits;
    float value;
  } both = {(u32)bits};
  return both.value;
}
static u64 float_bits(float value) {
  union {
    float value;
    u32 bits;
  } both = {value};
  return both.bits;
}

/** The exact remainder, as fmod. */
static double remainder_of(double value, double by) {
  u64 x = bits_of(value), y = bits_of(by);
  const u64 sign = x & 1ULL << 63;
  x &= ~(1ULL << 63);
  y &= ~(1ULL << 63);
  if (y == 0 || x >= 0x7ffULL << 52 || y > 0x7ffULL << 52) return (value * by) / (value * by);
  if (x < y) return value;
  int ex = (int)(x >> 52), ey = (int)(y >> 52);
  u64 mx = x & ((1ULL << 52) - 1), my = y & ((1ULL << 52) - 1);
  if (ex) mx |= 1ULL << 52;
  else
    for (ex = 1; !(mx >> 52); ex--) mx <<= 1;
  if (ey) my |= 1ULL << 52;
  else
    for (ey = 1; !(my >> 52); ey--) my <<= 1;
  for (; ex > ey; ex--) {
    if (mx >= my) mx -= my;
    if (!mx) return double_of(sign);
    mx <<= 1;
  }
  if (mx >= my) mx -= my;
  if (!mx) return double_of(sign);
  for (; !(mx >> 52); ex--) mx <<= 1;
  if (ex > 0) mx = (mx & ((1ULL << 52) - 1)) | (u64)ex << 52;
  else mx >>= 1 - ex;
  return double_of(sign | mx);
}

static i64 long_of(double value) {
  if (value != value) return 0;
  if (value >= 9223372036854775808.0) return 0x7fffffffffffffffLL;
  if (value <= -9223372036854775808.0) return (i64)(1ULL << 63);
  const u64 bits = bits_of(value);
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
  if (exponent <= -53) return 0;
  const u64 number = (bits & ((1ULL << 52) - 1)) | 1ULL << 52;
  const u64 whole = exponent >= 0 ? number << exponent : number >> -exponent;
  return (i64)(bits >> 63 ? 0 - whole : whole);
}

static i32 int_of(double value) {
  if (value != value) return 0;
  if (value >= 2147483647.0) return 0x7fffffff;
  if (value <= -2147483648.0) return (i32)0x80000000u;
  return (i32)value;
}

static double double_of_long(i64 value) { return (double)(i32)(value >> 32) * 4294967296.0 + (double)(u32)value; }

static float float_of_long(i64 value) {
  if (!value) return 0;
  u64 number = value < 0 ? 0 - (u64)value : (u64)value;
  int exponent = 63;
  while (!(number >> exponent)) exponent--;
  u64 mantissa;
  if (exponent <= 23) mantissa = number << (23 - exponent);
  else {
    const int shift = exponent - 23;
    const u64 rest = number & ((1ULL << shift) - 1), half = 1ULL << (shift - 1);
    mantissa = number >> shift;
    if (rest > half || (rest == half && (mantissa & 1))) mantissa++;
    if (mantissa >> 24) {
      mantissa >>= 1;
      exponent++;
    }
  }
  return float_of((value < 0 ? 0x80000000u : 0) | (u32)(exponent + 127) << 23 | (mantissa & 0x7fffff));
}

// ---- the image of a build

static u32 mix(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

/** Places in the image, in words; `bytes` is where texts begin. As vm-image.ts writes it. */
typedef struct {
  u32 check, words, methods, types, type_count, fields, field_count, calls, call_count, strings, string_count, bytes;
} Header;
#define CHECK 0x564d3031u

typedef struct {
  u32 registers, shorty, code, salt, tries, try_count;
} Method;
typedef struct {
  u32 owner, name, signature, kind, is_initialised;
} Field;
typedef struct {
  u32 owner, name, signature, shorty;
} Call;
typedef struct {
  u32 from, to, handlers, count;
} Try;
typedef struct {
  u16 op, a, b, c;
  u32 low, high;
} Record;

static const u32* image;
static const Header* header;
static const char* texts;
static Ref* type_refs;
static void** field_ids;
static void** call_ids;
static Ref* string_refs;

static Record fetch(const Method* method, u32 at) {
  const u32* words = image + method->code + 4 * at;
  const u32 stream = (build.key[2] ^ method->salt) + 4 * at * 0x9e3779b9u;
  u32 plain[4];
  for (u32 i = 0; i < 4; i++) plain[i] = words[i] ^ mix(stream + i * 0x9e3779b9u);
  const Record record = {(u16)plain[0], (u16)(plain[0] >> 16), (u16)plain[1], (u16)(plain[1] >> 16), plain[2], plain[3]};
  return record;
}

#define LOAD(from) __atomic_load_n(&(from), __ATOMIC_ACQUIRE)
#define STORE(to, value) __atomic_store_n(&(to), value, __ATOMIC_RELEASE)

static Ref lasting(Env env, Ref local) {
  const Ref global = JNI(NEW_GLOBAL, Ref, Ref)(env, local);
  JNI(DELETE_LOCAL, void, Ref)(env, local);
  return global;
}

static void fail(Env env, const char* type, const char* message) {
  const Ref found = JNI(FIND_CLASS, Ref, const char*)(env, type);
  if (!found) return;
  JNI(THROW_NEW, i32, Ref, const char*)(env, found, message);
  JNI(DELETE_LOCAL, void, Ref)(env, found);
}

static void fail_null(Env env, const char* message) { fail(env, "java/lang/NullPointerException", message); }

/** Writes a number in front of `end`. */
static char* digits(char* end, i32 value) {
  u64 left = value < 0 ? 0 - (u64)(i64)value : (u64)value;
  do {
    u64 digit;
    left = divide(left, 10, &digit);
    *--end = (char)('0' + digit);
  } while (left);
  if (value < 0) *--end = '-';
  return end;
}

static char* words_before(char* end, const char* words, int count) {
  while (count--) *--end = words[count];
  return end;
}

static void fail_bounds(Env env, i32 length, i32 index) {
  char text[48];
  char* at = text + sizeof text;
  *--at = 0;
  at = digits(at, index);
  at = words_before(at, "; index=", 8);
  at = digits(at, length);
  at = words_before(at, "length=", 7);
  fail(env, "java/lang/ArrayIndexOutOfBoundsException", at);
}

static void fail_size(Env env, i32 length) {
  char text[16];
  text[15] = 0;
  fail(env, "java/lang/NegativeArraySizeException", digits(text + 15, length));
}

/** A class, or 0 with the exception that code throws: JNI has ClassNotFoundException in place of NoClassDefFoundError. */
static Ref find_class(Env env, const char* name) {
  const Ref found = JNI(FIND_CLASS, Ref, const char*)(env, name);
  if (found) return found;
  const Ref thrown = JNI0(EXCEPTION_OCCURRED, Ref)(env);
  JNI0(EXCEPTION_CLEAR, void)(env);
  const Ref missing = JNI(FIND_CLASS, Ref, const char*)(env, "java/lang/ClassNotFoundException");
  if (!missing) return 0;
  if (JNI(IS_INSTANCE, u8, Ref, Ref)(env, thrown, missing)) fail(env, "java/lang/NoClassDefFoundError", name);
  else JNI(THROW, i32, Ref)(env, thrown);
  JNI(DELETE_LOCAL, void, Ref)(env, thrown);
  JNI(DELETE_LOCAL, void, Ref)(env, missing);
  return 0;
}

/** A class, or 0 with an exception. It is not initialised by this. */
static Ref type_of(Env env, u32 row) {
  const Ref known = LOAD(type_refs[row]);
  if (known) return known;
  const Ref found = find_class(env, texts + image[header->types + row]);
  if (!found) return 0;
  const Ref global = lasting(env, found);
  STORE(type_refs[row], global);
  return global;
}

/** Id of a field, or 0 with an exception. */
static void* field_of(Env env, u32 row, int is_static) {
  void* const known = LOAD(field_ids[row]);
  if (known) return known;
  const Field* field = (const Field*)(image + header->fields) + row;
  const Ref owner = type_of(env, field->owner);
  if (!owner) return 0;
  void* const id = JNI(is_static ? GET_STATIC_FIELD_ID : GET_FIELD_ID, void*, Ref, const char*, const char*)(
      env, owner, texts + field->name, texts + field->signature);
  // Asking waits for an initialiser that runs in another thread, which the next reader must do too.
  if (id && !field->is_initialised) STORE(field_ids[row], id);
  return id;
}

static void* call_of(Env env, u32 row, int is_static) {
  void* const known = LOAD(call_ids[row]);
  if (known) return known;
  const Call* call = (const Call*)(image + header->calls) + row;
  const Ref owner = type_of(env, call->owner);
  if (!owner) return 0;
  void* const id = JNI(is_static ? GET_STATIC_METHOD : GET_METHOD, void*, Ref, const char*, const char*)(
      env, owner, texts + call->name, texts + call->signature);
  if (id) STORE(call_ids[row], id);
  return id;
}

/** A text as const-string gives it: the interned one. */
static Ref text_of(Env env, u32 row) {
  const Ref known = LOAD(string_refs[row]);
  if (known) return JNI(NEW_LOCAL, Ref, Ref)(env, known);
  const Ref made = JNI(NEW_STRING_UTF, Ref, const char*)(env, texts + image[header->strings + row]);
  if (!made) return 0;
  const Ref type = JNI(FIND_CLASS, Ref, const char*)(env, "java/lang/String");
  void* const intern =
      type ? JNI(GET_METHOD, void*, Ref, const char*, const char*)(env, type, "intern", "()Ljava/lang/String;") : 0;
  if (!intern) return 0;
  const Value none = {0};
  const Ref text = JNI(CALL, Ref, Ref, void*, const Value*)(env, made, intern, &none);
  JNI(DELETE_LOCAL, void, Ref)(env, type);
  JNI(DELETE_LOCAL, void, Ref)(env, made);
  if (text) STORE(string_refs[row], JNI(NEW_GLOBAL, Ref, Ref)(env, text));
  return text;
}

// ---- registers

/** A register: a reference, or else a number; a wide one lies in its first register. Beside a reference `bits` has what is known of an array. */
typedef struct {
  u64 bits;
  Ref object;
} Slot;

static void put_object(Env env, Slot* slot, Ref object) {
  const Ref old = slot->object;
  slot->object = object;
  slot->bits = 0;
  if (old) JNI(DELETE_LOCAL, void, Ref)(env, old);
}

static inline void put(Env env, Slot* slot, u64 bits) {
  if (slot->object) put_object(env, slot, 0);
  slot->bits = bits;
}

/** Kinds of values, in the order of the JNI table. */
enum { OBJECT, BOOLEAN, BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE, VOID };

static int kind_of(char letter) {
  switch (letter) {
    case 'Z': return BOOLEAN;
    case 'B': return BYTE;
    case 'C': return CHAR;
    case 'S': return SHORT;
    case 'I': return INT;
    case 'J': return LONG;
    case 'F': return FLOAT;
    case 'D': return DOUBLE;
    case 'V': return VOID;
    default: return OBJECT;
  }
}

/** The number as a register holds it. */
static u64 widened(int kind, u64 bits) {
  switch (kind) {
    case BOOLEAN: return (u8)bits;
    case BYTE: return (u32)(i8)bits;
    case CHAR: return (u16)bits;
    case SHORT: return (u32)(i16)bits;
    case LONG:
    case DOUBLE: return bits;
    default: return (u32)bits;
  }
}

// By kind: reads what a function of the table gives, whose other parameters are the same for each.
#define BY_KIND(kind, function, parameters, arguments)                                       \
  switch (kind) {                                                                            \
    case BOOLEAN: return ((u8(*) parameters)(function))arguments;                            \
    case BYTE: return (u32)((i8(*) parameters)(function))arguments;                          \
    case CHAR: return ((u16(*) parameters)(function))arguments;                              \
    case SHORT: return (u32)((i16(*) parameters)(function))arguments;                        \
    case INT: return ((u32(*) parameters)(function))arguments;                               \
    case LONG: return ((u64(*) parameters)(function))arguments;                              \
    case FLOAT: return float_bits(((float(*) parameters)(function))arguments);               \
    case DOUBLE: return bits_of(((double(*) parameters)(function))arguments);                \
    case VOID: ((void (*) parameters)(function))arguments; return 0;                         \
    default: return (u64)(size)((Ref(*) parameters)(function))arguments;                     \
  }

static u64 get_field(Env env, int is_static, int kind, Ref from, void* id) {
  BY_KIND(kind, (*env)[(is_static ? GET_STATIC_FIELD : GET_FIELD) + kind], (Env, Ref, void*), (env, from, id))
}

static void set_field(Env env, int is_static, int kind, Ref to, void* id, const Slot* value) {
  const void* function = (*env)[(is_static ? SET_STATIC_FIELD : SET_FIELD) + kind];
  switch (kind) {
    case OBJECT: ((void (*)(Env, Ref, void*, Ref))function)(env, to, id, value->object); break;
    case BOOLEAN: ((void (*)(Env, Ref, void*, u8))function)(env, to, id, (u8)value->bits); break;
    case BYTE: ((void (*)(Env, Ref, void*, i8))function)(env, to, id, (i8)value->bits); break;
    case CHAR: ((void (*)(Env, Ref, void*, u16))function)(env, to, id, (u16)value->bits); break;
    case SHORT: ((void (*)(Env, Ref, void*, i16))function)(env, to, id, (i16)value->bits); break;
    case INT: ((void (*)(Env, Ref, void*, i32))function)(env, to, id, (i32)value->bits); break;
    case LONG: ((void (*)(Env, Ref, void*, u64))function)(env, to, id, value->bits); break;
    case FLOAT: ((void (*)(Env, Ref, void*, float))function)(env, to, id, float_of(value->bits)); break;
    default: ((void (*)(Env, Ref, void*, double))function)(env, to, id, double_of(value->bits));
  }
}

static u64 call_virtual(Env env, int kind, Ref on, void* id, const Value* values) {
  BY_KIND(kind, (*env)[CALL + 3 * kind], (Env, Ref, void*, const Value*), (env, on, id, values))
}
static u64 call_static(Env env, int kind, Ref type, void* id, const Value* values) {
  BY_KIND(kind, (*env)[CALL_STATIC + 3 * kind], (Env, Ref, void*, const Value*), (env, type, id, values))
}
static u64 call_nonvirtual(Env env, int kind, Ref on, Ref type, void* id, const Value* values) {
  BY_KIND(kind, (*env)[CALL_NONVIRTUAL + 3 * kind], (Env, Ref, Ref, void*, const Value*), (env, on, type, id, values))
}

enum { VIRTUAL, NONVIRTUAL, STATIC, NEW_TEXT };

/** An invoke; `list`: registers of the arguments. Gives the result; an exception may be pending then. */
static u64 invoke(Env env, int mode, u32 row, const u32* list, Slot* slots, int* kind) {
  const Call* call = (const Call*)(image + header->calls) + row;
  const char* shorty = texts + call->shorty;
  *kind = kind_of(shorty[0]);
  Slot* on = 0;
  if (mode != STATIC) {
    on = slots + *list++;
    if (!on->object) {
      fail_null(env, "Attempt to invoke a method on a null object reference");
      return 0;
    }
  }
  void* const id = call_of(env, row, mode == STATIC);
  if (!id) return 0;
  int count = 0;
  while (shorty[1 + count]) count++;
  Value values[count + 1];
  for (int i = 0; i < count; i++) {
    const Slot* slot = slots + list[i];
    values[i].bits = 0;
    if (kind_of(shorty[1 + i]) == OBJECT) values[i].object = slot->object;
    else values[i].bits = slot->bits;
  }
  if (mode == VIRTUAL) return call_virtual(env, *kind, on->object, id, values);
  const Ref type = type_of(env, call->owner);
  if (mode == STATIC) return call_static(env, *kind, type, id, values);
  if (mode == NONVIRTUAL) return call_nonvirtual(env, *kind, on->object, type, id, values);
  *kind = OBJECT;
  return (u64)(size)JNI(NEW_OBJECT, Ref, Ref, void*, const Value*)(env, type, id, values);
}

// ---- arrays

/** One instruction serves two kinds of arrays: the array decides which. `kind`: the one that is asked for. */
static int kind_in(Env env, Ref array, int kind, int other) {
  static const char* const names[] = {"", "", "[B", "", "[S", "[I", "[J"};
  static Ref array_types[LONG + 1];
  Ref type = LOAD(array_types[kind]);
  if (!type) {
    const Ref found = JNI(FIND_CLASS, Ref, const char*)(env, names[kind]);
    if (!found) return kind;
    type = lasting(env, found);
    STORE(array_types[kind], type);
  }
  return JNI(IS_INSTANCE, u8, Ref, Ref)(env, array, type) ? kind : other;
}

#define KNOWN 0x100

/** Kind of the array's elements, -1 with an exception where this one does not exist. The register keeps length and kind, which each ask ART once. */
static int kind_of_element(Env env, int kind, Slot* array, i32 index, int writes) {
  if (!array->object) {
    fail_null(env, writes ? "Attempt to write to null array" : "Attempt to read from null array");
    return -1;
  }
  if (!array->bits) {
    const u32 length = JNI(GET_LENGTH, u32, Ref)(env, array->object);
    if (kind == INT) kind = kind_in(env, array->object, INT, FLOAT);
    if (kind == LONG) kind = kind_in(env, array->object, LONG, DOUBLE);
    if (kind == BYTE) kind = kind_in(env, array->object, BYTE, BOOLEAN);
    array->bits = (u64)length << 32 | KNOWN | (u32)kind;
  }
  const u32 length = (u32)(array->bits >> 32);
  if ((u32)index < length) return (int)(array->bits & 0xff);
  fail_bounds(env, (i32)length, index);
  return -1;
}

static void get_element(Env env, int asked, Slot* to, Slot* array, i32 index) {
  const int kind = kind_of_element(env, asked, array, index, 0);
  if (kind < 0) return;
  if (kind == OBJECT) {
    put_object(env, to, JNI(GET_ELEMENT, Ref, Ref, i32)(env, array->object, index));
    return;
  }
  u64 bits = 0;
  JNI(GET_REGION + kind, void, Ref, i32, i32, void*)(env, array->object, index, 1, &bits);
  put(env, to, widened(kind, bits));
}

static void set_element(Env env, int asked, const Slot* from, Slot* array, i32 index) {
  const int kind = kind_of_element(env, asked, array, index, 1);
  if (kind < 0) return;
  if (kind == OBJECT) JNI(SET_ELEMENT, void, Ref, i32, Ref)(env, array->object, index, from->object);
  else JNI(SET_REGION + kind, void, Ref, i32, i32, const void*)(env, array->object, index, 1, &from->bits);
}

/** An array of the class of this row, or 0 with an exception. */
static Ref new_array(Env env, u32 row, i32 length) {
  const char* name = texts + image[header->types + row];
  if (length < 0) {
    fail_size(env, length);
    return 0;
  }
  const int kind = kind_of(name[1]);
  if (kind != OBJECT) return JNI(NEW_ARRAY + kind, Ref, i32)(env, length);
  int end = 0;
  while (name[end]) end++;
  // `[La/B;` has elements `a/B`, `[[I` has `[I`.
  char element[end];
  const int is_class = name[1] == 'L';
  int count = 0;
  for (int i = is_class ? 2 : 1; i < end - is_class; i++) element[count++] = name[i];
  element[count] = 0;
  const Ref type = find_class(env, element);
  if (!type) return 0;
  const Ref made = JNI(NEW_OBJECT_ARRAY, Ref, i32, Ref, Ref)(env, length, type, 0);
  JNI(DELETE_LOCAL, void, Ref)(env, type);
  return made;
}

static void fill_array(Env env, Ref array, const u32* data, i32 count, int width) {
  if (!array) {
    fail_null(env, "null array in FILL_ARRAY_DATA");
    return;
  }
  const i32 length = JNI(GET_LENGTH, i32, Ref)(env, array);
  if (count > length) {
    char text[64];
    char* at = text + sizeof text;
    *--at = 0;
    at = digits(at, count);
    at = words_before(at, ", index=", 8);
    at = digits(at, length);
    at = words_before(at, "failed FILL_ARRAY_DATA; length=", 31);
    fail(env, "java/lang/ArrayIndexOutOfBoundsException", at);
    return;
  }
  int kind;
  if (width == 1) kind = kind_in(env, array, BYTE, BOOLEAN);
  else if (width == 2) kind = kind_in(env, array, SHORT, CHAR);
  else kind = width == 4 ? kind_in(env, array, INT, FLOAT) : kind_in(env, array, LONG, DOUBLE);
  JNI(SET_REGION + kind, void, Ref, i32, i32, const void*)(env, array, 0, count, data);
}

// ---- the interpreter

/** Where the pending exception is caught, or -1; the exception is in `caught` then and not pending any more. */
static i64 handler_of(Env env, const Method* method, u32 at, Slot* caught) {
  const Ref thrown = JNI0(EXCEPTION_OCCURRED, Ref)(env);
  const Try* tries = (const Try*)(image + method->tries);
  JNI0(EXCEPTION_CLEAR, void)(env);
  for (u32 i = 0; i < method->try_count; i++) {
    if (at < tries[i].from || at >= tries[i].to) continue;
    const u32* handlers = image + tries[i].handlers;
    for (u32 j = 0; j < tries[i].count; j++, handlers += 2) {
      int catches = handlers[0] == 0xffffffffu;
      if (!catches) {
        const Ref type = type_of(env, handlers[0]);
        // A class that is not there catches nothing.
        if (!type) JNI0(EXCEPTION_CLEAR, void)(env);
        catches = type && JNI(IS_INSTANCE, u8, Ref, Ref)(env, thrown, type);
      }
      if (!catches) continue;
      put_object(env, caught, thrown);
      return handlers[1];
    }
    // Ranges do not overlap.
    break;
  }
  JNI(THROW, i32, Ref)(env, thrown);
  JNI(DELETE_LOCAL, void, Ref)(env, thrown);
  return -1;
}

/** Fills the last registers with the arguments. */
static __attribute__((noinline)) void take_arguments(Env env, const Method* method, Ref numbers, Ref objects, Slot* slots) {
  const char* shorty = texts + method->shorty + 1;
  u32 words = 0;
  for (const char* at = shorty; *at; at++) words += *at == 'J' || *at == 'D' ? 2 : 1;
  Slot* slot = slots + method->registers - words;
  i32 number = 0, object = 0;
  for (; *shorty; shorty++) {
    const int kind = kind_of(*shorty);
    if (kind == OBJECT) slot->object = JNI(GET_ELEMENT, Ref, Ref, i32)(env, objects, object++);
    else {
      u64 bits;
      JNI(GET_REGION + LONG, void, Ref, i32, i32, void*)(env, numbers, number++, 1, &bits);
      slot->bits = kind == LONG || kind == DOUBLE ? bits : (u32)bits;
    }
    slot += kind == LONG || kind == DOUBLE ? 2 : 1;
  }
}

static i32 find_case(const u32* table, u32 count, i32 value) {
  u32 low = 0, high = count;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    const i32 key = (i32)table[middle];
    if (key == value) return (i32)middle;
    if (key < value) low = middle + 1;
    else high = middle;
  }
  return -1;
}

#define A (slots[r.a])
#define B (slots[r.b])
#define C (slots[r.c])
#define INT_A ((i32)A.bits)
#define INT_B ((i32)B.bits)
#define INT_C ((i32)C.bits)
#define LONG_B ((i64)B.bits)
#define LONG_C ((i64)C.bits)
#define LIT ((i32)r.low)
#define SET(value) put(env, &A, value)
#define SET_INT(value) put(env, &A, (u32)(value))
#define JUMP() at = r.low; continue
#define BRANCH(condition) \
  if (condition) {        \
    JUMP();               \
  }                       \
  break
#define INT_OP(name, value) \
  case name: SET_INT(value); break;
#define LONG_OP(name, value) \
  case name: SET((u64)(value)); break;

static u64 run(Env env, i32 id, Ref numbers, Ref objects) {
  const Method* method = (const Method*)(image + header->methods) + id;
  Slot slots[method->registers + 1];
  for (u32 i = 0; i <= method->registers; i++) {
    slots[i].bits = 0;
    slots[i].object = 0;
  }
  take_arguments(env, method, numbers, objects, slots);
  Slot result = {0, 0}, caught = {0, 0};
  u32 at = 0;
  for (;;) {
    const Record r = fetch(method, at);
    switch (build.handlers[r.op & 0xff]) {
      case OP_MOVE: SET(B.bits); break;
      case OP_MOVE_OBJECT: {
        const Ref from = B.object;
        const u64 known = from ? B.bits : 0;
        put_object(env, &A, from ? JNI(NEW_LOCAL, Ref, Ref)(env, from) : 0);
        A.bits = known;
        break;
      }
      case OP_MOVE_RESULT: SET(result.bits); break;
      case OP_MOVE_RESULT_OBJECT:
        put_object(env, &A, result.object);
        result.object = 0;
        break;
      case OP_MOVE_EXCEPTION:
        put_object(env, &A, caught.object);
        caught.object = 0;
        break;
      case OP_RETURN_VOID: return 0;
      case OP_RETURN: return A.bits;
      case OP_RETURN_OBJECT: return (u64)(size)A.object;
      case OP_CONST: SET((u64)r.high << 32 | r.low); break;
      case OP_CONST_STRING: {
        const Ref text = text_of(env, r.low);
        if (!text) goto thrown;
        put_object(env, &A, text);
        break;
      }
      case OP_CONST_CLASS: {
        const Ref type = type_of(env, r.low);
        if (!type) goto thrown;
        put_object(env, &A, JNI(NEW_LOCAL, Ref, Ref)(env, type));
        break;
      }
      case OP_CHECK_CAST: {
        if (!A.object) break;
        const Ref type = type_of(env, r.low);
        if (!type) goto thrown;
        if (JNI(IS_INSTANCE, u8, Ref, Ref)(env, A.object, type)) break;
        fail(env, "java/lang/ClassCastException", texts + image[header->types + r.low]);
        goto thrown;
      }
      case OP_INSTANCE_OF: {
        if (!B.object) {
          SET(0);
          break;
        }
        const Ref type = type_of(env, r.low);
        if (!type) goto thrown;
        const u64 is = JNI(IS_INSTANCE, u8, Ref, Ref)(env, B.object, type);
        SET(is);
        break;
      }
      case OP_ARRAY_LENGTH: {
        if (!B.object) {
          fail_null(env, "Attempt to get length of null array");
          goto thrown;
        }
        const u32 length = JNI(GET_LENGTH, u32, Ref)(env, B.object);
        SET(length);
        break;
      }
      case OP_NEW_INSTANCE: {
        const Ref type = type_of(env, r.low);
        if (!type) goto thrown;
        const Ref made = JNI(ALLOC_OBJECT, Ref, Ref)(env, type);
        if (!made) goto thrown;
        put_object(env, &A, made);
        break;
      }
      case OP_NEW_ARRAY: {
        const Ref made = new_array(env, r.low, INT_B);
        if (!made) goto thrown;
        put_object(env, &A, made);
        break;
      }
      case OP_FILLED_NEW_ARRAY: {
        const Ref made = new_array(env, r.low, r.a);
        if (!made) goto thrown;
        const u32* list = image + r.high;
        const int kind = kind_of(texts[image[header->types + r.low] + 1]);
        Slot array = {0, made};
        for (i32 i = 0; i < r.a; i++) set_element(env, kind, slots + list[i], &array, i);
        put_object(env, &result, made);
        if (JNI0(EXCEPTION_CHECK, u8)(env)) goto thrown;
        break;
      }
      case OP_FILL_ARRAY_DATA:
        fill_array(env, A.object, image + r.low, (i32)r.high, r.b);
        goto may_throw;
      case OP_THROW:
        if (A.object) JNI(THROW, i32, Ref)(env, A.object);
        else fail_null(env, 0);
        goto thrown;
      case OP_GOTO: JUMP();
      case OP_PACKED_SWITCH: {
        // The least key, then where each leads.
        const u32* table = image + r.low;
        const u32 place = (u32)INT_A - table[0];
        if (place >= r.high) break;
        at = table[1 + place];
        continue;
      }
      case OP_SPARSE_SWITCH: {
        const u32* table = image + r.low;
        const i32 place = find_case(table, r.high, INT_A);
        if (place < 0) break;
        at = table[r.high + (u32)place];
        continue;
      }
      case OP_CMPL_FLOAT: {
        const float x = float_of(B.bits), y = float_of(C.bits);
        SET_INT(x > y ? 1 : x == y ? 0 : -1);
        break;
      }
      case OP_CMPG_FLOAT: {
        const float x = float_of(B.bits), y = float_of(C.bits);
        SET_INT(x < y ? -1 : x == y ? 0 : 1);
        break;
      }
      case OP_CMPL_DOUBLE: {
        const double x = double_of(B.bits), y = double_of(C.bits);
        SET_INT(x > y ? 1 : x == y ? 0 : -1);
        break;
      }
      case OP_CMPG_DOUBLE: {
        const double x = double_of(B.bits), y = double_of(C.bits);
        SET_INT(x < y ? -1 : x == y ? 0 : 1);
        break;
      }
      case OP_CMP_LONG: SET_INT(LONG_B > LONG_C ? 1 : LONG_B == LONG_C ? 0 : -1); break;
      case OP_IF_EQ:
      case OP_IF_NE: {
        const int same = A.object || B.object ? JNI(IS_SAME, u8, Ref, Ref)(env, A.object, B.object) : INT_A == INT_B;
        BRANCH(same == (build.handlers[r.op & 0xff] == OP_IF_EQ));
      }
      case OP_IF_LT: BRANCH(INT_A < INT_B);
      case OP_IF_GE: BRANCH(INT_A >= INT_B);
      case OP_IF_GT: BRANCH(INT_A > INT_B);
      case OP_IF_LE: BRANCH(INT_A <= INT_B);
      case OP_IF_EQZ: BRANCH(!A.object && !INT_A);
      case OP_IF_NEZ: BRANCH(A.object || INT_A);
      case OP_IF_LTZ: BRANCH(INT_A < 0);
      case OP_IF_GEZ: BRANCH(INT_A >= 0);
      case OP_IF_GTZ: BRANCH(INT_A > 0);
      case OP_IF_LEZ: BRANCH(INT_A <= 0);
      case OP_AGET: get_element(env, INT, &A, &B, INT_C); goto may_throw;
      case OP_AGET_WIDE: get_element(env, LONG, &A, &B, INT_C); goto may_throw;
      case OP_AGET_OBJECT: get_element(env, OBJECT, &A, &B, INT_C); goto may_throw;
      case OP_AGET_BOOLEAN:
      case OP_AGET_BYTE: get_element(env, BYTE, &A, &B, INT_C); goto may_throw;
      case OP_AGET_CHAR: get_element(env, CHAR, &A, &B, INT_C); goto may_throw;
      case OP_AGET_SHORT: get_element(env, SHORT, &A, &B, INT_C); goto may_throw;
      case OP_APUT: set_element(env, INT, &A, &B, INT_C); goto may_throw;
      case OP_APUT_WIDE: set_element(env, LONG, &A, &B, INT_C); goto may_throw;
      case OP_APUT_OBJECT: set_element(env, OBJECT, &A, &B, INT_C); goto may_throw;
      case OP_APUT_BOOLEAN:
      case OP_APUT_BYTE: set_element(env, BYTE, &A, &B, INT_C); goto may_throw;
      case OP_APUT_CHAR: set_element(env, CHAR, &A, &B, INT_C); goto may_throw;
      case OP_APUT_SHORT: set_element(env, SHORT, &A, &B, INT_C); goto may_throw;
      case OP_IGET:
      case OP_IPUT: {
        const int writes = build.handlers[r.op & 0xff] == OP_IPUT;
        const Ref on = B.object;
        if (!on) {
          fail_null(env, writes ? "Attempt to write to field on a null object reference"
                                : "Attempt to read from field on a null object reference");
          goto thrown;
        }
        void* const field = field_of(env, r.low, 0);
        if (!field) goto thrown;
        const int kind = kind_of((char)((const Field*)(image + header->fields))[r.low].kind);
        if (writes) {
          set_field(env, 0, kind, on, field, &A);
          break;
        }
        const u64 bits = get_field(env, 0, kind, on, field);
        if (kind == OBJECT) put_object(env, &A, (Ref)(size)bits);
        else SET(bits);
        break;
      }
      case OP_SGET:
      case OP_SPUT: {
        void* const field = field_of(env, r.low, 1);
        if (!field) goto thrown;
        const Field* row = (const Field*)(image + header->fields) + r.low;
        const int kind = kind_of((char)row->kind);
        const Ref on = type_of(env, row->owner);
        if (build.handlers[r.op & 0xff] == OP_SPUT) {
          set_field(env, 1, kind, on, field, &A);
          break;
        }
        const u64 bits = get_field(env, 1, kind, on, field);
        if (kind == OBJECT) put_object(env, &A, (Ref)(size)bits);
        else SET(bits);
        break;
      }
      case OP_INVOKE_VIRTUAL:
      case OP_INVOKE_DIRECT:
      case OP_INVOKE_STATIC: {
        const u8 handler = build.handlers[r.op & 0xff];
        const int mode = handler == OP_INVOKE_VIRTUAL ? VIRTUAL : handler == OP_INVOKE_STATIC ? STATIC : NONVIRTUAL;
        int kind;
        const u64 bits = invoke(env, mode, r.low, image + r.high, slots, &kind);
        if (JNI0(EXCEPTION_CHECK, u8)(env)) goto thrown;
        if (kind == OBJECT) put_object(env, &result, (Ref)(size)bits);
        else result.bits = bits;
        break;
      }
      case OP_INIT_STRING: {
        // The text is another object than the one that new-instance gave: all registers with that one get it.
        int kind;
        const u32* list = image + r.high;
        const Ref text = (Ref)(size)invoke(env, NEW_TEXT, r.low, list, slots, &kind);
        if (JNI0(EXCEPTION_CHECK, u8)(env)) goto thrown;
        const Ref old = JNI(NEW_LOCAL, Ref, Ref)(env, slots[list[0]].object);
        for (u32 i = 0; i < method->registers; i++)
          if (slots[i].object && JNI(IS_SAME, u8, Ref, Ref)(env, slots[i].object, old))
            put_object(env, slots + i, JNI(NEW_LOCAL, Ref, Ref)(env, text));
        JNI(DELETE_LOCAL, void, Ref)(env, old);
        JNI(DELETE_LOCAL, void, Ref)(env, text);
        break;
      }
        INT_OP(OP_NEG_INT, 0u - (u32)INT_B)
        INT_OP(OP_NOT_INT, ~INT_B)
        LONG_OP(OP_NEG_LONG, 0 - B.bits)
        LONG_OP(OP_NOT_LONG, ~B.bits)
        INT_OP(OP_NEG_FLOAT, (u32)B.bits ^ 0x80000000u)
        LONG_OP(OP_NEG_DOUBLE, B.bits ^ 1ULL << 63)
        LONG_OP(OP_INT_TO_LONG, (i64)INT_B)
        LONG_OP(OP_INT_TO_FLOAT, float_bits((float)INT_B))
        LONG_OP(OP_INT_TO_DOUBLE, bits_of((double)INT_B))
        INT_OP(OP_LONG_TO_INT, B.bits)
        LONG_OP(OP_LONG_TO_FLOAT, float_bits(float_of_long(LONG_B)))
        LONG_OP(OP_LONG_TO_DOUBLE, bits_of(double_of_long(LONG_B)))
        INT_OP(OP_FLOAT_TO_INT, int_of(float_of(B.bits)))
        LONG_OP(OP_FLOAT_TO_LONG, long_of(float_of(B.bits)))
        LONG_OP(OP_FLOAT_TO_DOUBLE, bits_of(float_of(B.bits)))
        INT_OP(OP_DOUBLE_TO_INT, int_of(double_of(B.bits)))
        LONG_OP(OP_DOUBLE_TO_LONG, long_of(double_of(B.bits)))
        LONG_OP(OP_DOUBLE_TO_FLOAT, float_bits((float)double_of(B.bits)))
        INT_OP(OP_INT_TO_BYTE, (i8)INT_B)
        INT_OP(OP_INT_TO_CHAR, (u16)INT_B)
        INT_OP(OP_INT_TO_SHORT, (i16)INT_B)
        INT_OP(OP_ADD_INT, (u32)INT_B + (u32)INT_C)
        INT_OP(OP_SUB_INT, (u32)INT_B - (u32)INT_C)
        INT_OP(OP_MUL_INT, (u32)INT_B * (u32)INT_C)
        INT_OP(OP_AND_INT, INT_B & INT_C)
        INT_OP(OP_OR_INT, INT_B | INT_C)
        INT_OP(OP_XOR_INT, INT_B ^ INT_C)
        INT_OP(OP_SHL_INT, (u32)INT_B << (INT_C & 31))
        INT_OP(OP_SHR_INT, INT_B >> (INT_C & 31))
        INT_OP(OP_USHR_INT, (u32)INT_B >> (INT_C & 31))
        INT_OP(OP_ADD_INT_LIT, (u32)INT_B + (u32)LIT)
        INT_OP(OP_RSUB_INT_LIT, (u32)LIT - (u32)INT_B)
        INT_OP(OP_MUL_INT_LIT, (u32)INT_B * (u32)LIT)
        INT_OP(OP_AND_INT_LIT, INT_B & LIT)
        INT_OP(OP_OR_INT_LIT, INT_B | LIT)
        INT_OP(OP_XOR_INT_LIT, INT_B ^ LIT)
        INT_OP(OP_SHL_INT_LIT, (u32)INT_B << (LIT & 31))
        INT_OP(OP_SHR_INT_LIT, INT_B >> (LIT & 31))
        INT_OP(OP_USHR_INT_LIT, (u32)INT_B >> (LIT & 31))
        LONG_OP(OP_ADD_LONG, B.bits + C.bits)
        LONG_OP(OP_SUB_LONG, B.bits - C.bits)
        LONG_OP(OP_MUL_LONG, B.bits * C.bits)
        LONG_OP(OP_AND_LONG, B.bits & C.bits)
        LONG_OP(OP_OR_LONG, B.bits | C.bits)
        LONG_OP(OP_XOR_LONG, B.bits ^ C.bits)
        LONG_OP(OP_SHL_LONG, B.bits << (INT_C & 63))
        LONG_OP(OP_SHR_LONG, LONG_B >> (INT_C & 63))
        LONG_OP(OP_USHR_LONG, B.bits >> (INT_C & 63))
        LONG_OP(OP_ADD_FLOAT, float_bits(float_of(B.bits) + float_of(C.bits)))
        LONG_OP(OP_SUB_FLOAT, float_bits(float_of(B.bits) - float_of(C.bits)))
        LONG_OP(OP_MUL_FLOAT, float_bits(float_of(B.bits) * float_of(C.bits)))
        LONG_OP(OP_DIV_FLOAT, float_bits(float_of(B.bits) / float_of(C.bits)))
        LONG_OP(OP_REM_FLOAT, float_bits((float)remainder_of(float_of(B.bits), float_of(C.bits))))
        LONG_OP(OP_ADD_DOUBLE, bits_of(double_of(B.bits) + double_of(C.bits)))
        LONG_OP(OP_SUB_DOUBLE, bits_of(double_of(B.bits) - double_of(C.bits)))
        LONG_OP(OP_MUL_DOUBLE, bits_of(double_of(B.bits) * double_of(C.bits)))
        LONG_OP(OP_DIV_DOUBLE, bits_of(double_of(B.bits) / double_of(C.bits)))
        LONG_OP(OP_REM_DOUBLE, bits_of(remainder_of(double_of(B.bits), double_of(C.bits))))
      case OP_DIV_INT:
      case OP_REM_INT:
      case OP_DIV_INT_LIT:
      case OP_REM_INT_LIT: {
        const u8 handler = build.handlers[r.op & 0xff];
        const i32 by = handler == OP_DIV_INT || handler == OP_REM_INT ? INT_C : LIT;
        if (!by) goto divided_by_zero;
        i64 rest;
        const i64 quotient = divide_signed(INT_B, by, &rest);
        SET_INT(handler == OP_DIV_INT || handler == OP_DIV_INT_LIT ? quotient : rest);
        break;
      }
      case OP_DIV_LONG:
      case OP_REM_LONG: {
        if (!LONG_C) goto divided_by_zero;
        i64 rest;
        const i64 quotient = divide_signed(LONG_B, LONG_C, &rest);
        SET((u64)(build.handlers[r.op & 0xff] == OP_DIV_LONG ? quotient : rest));
        break;
      }
      divided_by_zero:
        fail(env, "java/lang/ArithmeticException", "divide by zero");
        goto thrown;
      default: fail(env, "java/lang/InternalError", "code of a virtualised method"); goto thrown;
      may_throw:
        if (!JNI0(EXCEPTION_CHECK, u8)(env)) break;
      thrown: {
        const i64 handler = handler_of(env, method, at, &caught);
        if (handler < 0) return 0;
        at = (u32)handler;
        continue;
      }
    }
    at++;
  }
}

// ---- what Java calls

static void start(Env env, Ref type, Ref bytes) {
  (void)type;
  const i32 length = JNI(GET_LENGTH, i32, Ref)(env, bytes);
  u32* const words = pages((size)length);
  if (!words) {
    fail(env, "java/lang/OutOfMemoryError", "code of virtualised methods");
    return;
  }
  JNI(GET_REGION + BYTE, void, Ref, i32, i32, void*)(env, bytes, 0, length, words);
  for (u32 i = 0; i < (u32)length / 4; i++) words[i] ^= mix(mix(build.key[0] + i * 0x9e3779b9u) ^ build.key[1]);
  const Header* found = (const Header*)words;
  if (found->check != CHECK || found->words != (u32)length / 4) {
    fail(env, "java/lang/InternalError", "code of virtualised methods");
    return;
  }
  const size count = (size)found->type_count + found->field_count + found->call_count + found->string_count + 1;
  Ref* const known = pages(count * sizeof(Ref));
  if (!known) {
    fail(env, "java/lang/OutOfMemoryError", "code of virtualised methods");
    return;
  }
  type_refs = known;
  field_ids = type_refs + found->type_count;
  call_ids = field_ids + found->field_count;
  string_refs = call_ids + found->call_count;
  texts = (const char*)(words + found->bytes);
  image = words;
  header = found;
}

static void run_void(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  run(env, id, numbers, objects);
}
static u8 run_boolean(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return (u8)run(env, id, numbers, objects);
}
static i8 run_byte(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return (i8)run(env, id, numbers, objects);
}
static u16 run_char(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return (u16)run(env, id, numbers, objects);
}
static i16 run_short(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return (i16)run(env, id, numbers, objects);
}
static i32 run_int(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return (i32)run(env, id, numbers, objects);
}
static u64 run_long(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return run(env, id, numbers, objects);
}
static float run_float(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return float_of(run(env, id, numbers, objects));
}
static double run_double(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return double_of(run(env, id, numbers, objects));
}
static Ref run_object(Env env, Ref type, i32 id, Ref numbers, Ref objects) {
  (void)type;
  return (Ref)(size)run(env, id, numbers, objects);
}

typedef struct {
  const char *name, *signature;
  const void* function;
} Native;
#define RUN(result, function) {"a", "(I[J[Ljava/lang/Object;)" result, function}
static const Native natives[] = {
    RUN("V", run_void),
    RUN("Z", run_boolean),
    RUN("B", run_byte),
    RUN("C", run_char),
    RUN("S", run_short),
    RUN("I", run_int),
    RUN("J", run_long),
    RUN("F", run_float),
    RUN("D", run_double),
    RUN("Ljava/lang/Object;", run_object),
    {"a", "([B)V", start},
};

__attribute__((visibility("default"))) i32 JNI_OnLoad(Env vm, void* reserved) {
  (void)reserved;
  Env env = 0;
  if (((i32(*)(Env, Env*, i32))(*vm)[GET_ENV])(vm, &env, JNI_VERSION)) return -1;
  const Ref owner = JNI(FIND_CLASS, Ref, const char*)(env, build.owner);
  if (!owner) return -1;
  if (JNI(REGISTER_NATIVES, i32, Ref, const Native*, i32)(env, owner, natives, sizeof natives / sizeof *natives)) return -1;
  return JNI_VERSION;
}
