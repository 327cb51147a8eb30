// Starts ART with the core library of the tests and runs or verifies dex files.
//   host-runtime CORE.dex run MAIN[,MAIN…] DEX… [-- ARGUMENT…]
//   host-runtime CORE.dex verify DEX…
// Descriptors: 1 standard output of the programs, 2 what ART writes, 3 the report, a JSON object a line, 4 android.util.Log, 5 System.err.
// Several programs in one run are separated on 1, 4 and 5 by a NUL byte, the name and a line feed.
// Exit status: that of the program; 1 after an uncaught exception; 3 where the runtime or the files do not load.
#include <jni.h>

#include <charconv>
#include <chrono>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace art {
class Thread;
class CompilerCallbacks;
namespace mirror {
class Class;
}
// A word without a destructor, handed over in a register.
template <class T>
struct ObjPtr {
  uintptr_t reference;
};
namespace verifier {
enum class HardFailLogMode { kLogNone, kLogVerbose, kLogWarning, kLogInternalFatal };
}
}  // namespace art

// Exported by libart.so under these names.
extern "C" int VerifyClass(art::Thread*, art::ObjPtr<art::mirror::Class>, art::CompilerCallbacks*, bool allow_soft_failures,
                           art::verifier::HardFailLogMode, uint32_t api_level, std::string* error)
    __asm__("_ZN3art8verifier13ClassVerifier11VerifyClassEPNS_6ThreadENS_6ObjPtrINS_6mirror5ClassEEEPNS_17CompilerCallbacksEb"
            "NS0_15HardFailLogModeEjPNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
extern "C" bool LoadNativeLibrary(JavaVM*, JNIEnv*, const std::string& path, jobject loader, jclass caller, std::string* error)
    __asm__("_ZN3art9JavaVMExt17LoadNativeLibraryEP7_JNIEnvRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEP8_jobjectP7_jclass"
            "PS8_");
extern "C" uintptr_t DecodeJObject(const void* thread, jobject object) __asm__("_ZNK3art6Thread13DecodeJObjectEP8_jobject");

// z_stream of zlib, whose header need not be here.
struct ZStream {
  const uint8_t* next_in;
  unsigned avail_in;
  unsigned long total_in;
  uint8_t* next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char* message;
  void* state;
  void* allocate;
  void* release;
  void* opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};
extern "C" int inflateInit2_(ZStream*, int window_bits, const char* version, int size);
extern "C" int inflate(ZStream*, int flush);
extern "C" int inflateEnd(ZStream*);

namespace {

constexpr int kReport = 3;
constexpr int kLog = 4;
constexpr int kErrors = 5;
constexpr int kNotStarted = 3;
// The level that the files are checked for; verification follows the API level of the application.
constexpr uint32_t kApiLevel = 30;

JavaVM* vm;
std::string current_program;
std::mutex output;

bool WriteAll(int descriptor, const std::string& text) {
  const char* at = text.data();
  size_t left = text.size();
  while (left > 0) {
    ssize_t n = write(descriptor, at, left);
    if (n < 0) return false;
    at += n;
    left -= static_cast<size_t>(n);
  }
  return true;
}

void AppendUtf8(std::string* out, uint32_t code) {
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xc0 | (code >> 6));
    *out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xe0 | (code >> 12));
    *out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    *out += static_cast<char>(0xf0 | (code >> 18));
    *out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    *out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// UTF-8; halves of pairs without the other half and NUL as \uXXXX.
std::string TextOf(JNIEnv* env, jstring string) {
  if (string == nullptr) return "null";
  const jsize length = env->GetStringLength(string);
  std::vector<jchar> units(static_cast<size_t>(length) + 1);
  env->GetStringRegion(string, 0, length, units.data());
  std::string out;
  for (jsize i = 0; i < length; i++) {
    const uint32_t unit = units[i];
    const bool high = unit >= 0xd800 && unit < 0xdc00;
    if (high && i + 1 < length && units[i + 1] >= 0xdc00 && units[i + 1] < 0xe000) {
      AppendUtf8(&out, 0x10000 + ((unit - 0xd800) << 10) + (units[++i] - 0xdc00u));
    } else if (unit == 0 || (unit >= 0xd800 && unit < 0xe000)) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\u%04x", unit);
      out += escaped;
    } else {
      AppendUtf8(&out, unit);
    }
  }
  return out;
}

std::string Json(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string CallText(JNIEnv* env, jobject object, const char* type, const char* method) {
  jclass klass = env->FindClass(type);
  auto text = static_cast<jstring>(
      env->CallObjectMethod(object, env->GetMethodID(klass, method, "()Ljava/lang/String;")));
  if (env->ExceptionCheck()) {
    env->ExceptionClear();
    return "?";
  }
  return TextOf(env, text);
}

// Type, message, stack and causes. Clear the pending exception before.
std::string Describe(JNIEnv* env, jthrowable thrown, int depth = 0) {
  jclass throwable = env->FindClass("java/lang/Throwable");
  std::string out = "{\"type\":" + Json(CallText(env, env->GetObjectClass(thrown), "java/lang/Class", "getName"));
  auto message = static_cast<jstring>(
      env->CallObjectMethod(thrown, env->GetMethodID(throwable, "getMessage", "()Ljava/lang/String;")));
  if (env->ExceptionCheck()) env->ExceptionClear();
  else if (message != nullptr) out += ",\"message\":" + Json(TextOf(env, message));
  auto stack = static_cast<jobjectArray>(env->CallObjectMethod(
      thrown, env->GetMethodID(throwable, "getStackTrace", "()[Ljava/lang/StackTraceElement;")));
  if (env->ExceptionCheck()) env->ExceptionClear();
  else if (stack != nullptr) {
    out += ",\"stack\":[";
    for (jsize i = 0; i < env->GetArrayLength(stack) && i < 64; i++)
      out += (i ? "," : "") +
             Json(CallText(env, env->GetObjectArrayElement(stack, i), "java/lang/StackTraceElement", "toString"));
    out += "]";
  }
  auto cause = static_cast<jthrowable>(
      env->CallObjectMethod(thrown, env->GetMethodID(throwable, "getCause", "()Ljava/lang/Throwable;")));
  if (env->ExceptionCheck()) env->ExceptionClear();
  else if (cause != nullptr && depth < 8) out += ",\"cause\":" + Describe(env, cause, depth + 1);
  return out + "}";
}

void Report(const std::string& members) {
  WriteAll(kReport, "{" + members + "}\n");
}

// ART has no tidy end here: threads may still run.
[[noreturn]] void End(int status) {
  _exit(status);
}

std::string TakeException(JNIEnv* env) {
  jthrowable thrown = env->ExceptionOccurred();
  if (thrown == nullptr) return "";
  env->ExceptionClear();
  return Describe(env, thrown);
}

void ExitOnException(JNIEnv* env, const char* what) {
  const std::string thrown = TakeException(env);
  if (thrown.empty()) return;
  Report("\"notStarted\":" + Json(what) + ",\"exception\":" + thrown);
  End(kNotStarted);
}

// --- native methods of the core library

void HostWrite(JNIEnv* env, jclass, jint stream, jstring text) {
  const std::string bytes = TextOf(env, text);
  const std::lock_guard<std::mutex> lock(output);
  WriteAll(stream == 1 ? 1 : stream == 2 ? kErrors : kLog, bytes);
}

void HostExit(JNIEnv*, jclass, jint status) {
  Report("\"program\":" + Json(current_program) + ",\"exit\":" + std::to_string(status));
  End(status);
}

void HostFail(JNIEnv* env, jclass, jthrowable thrown) {
  Report("\"program\":" + Json(current_program) + ",\"exit\":1,\"exception\":" + Describe(env, thrown));
  End(1);
}

std::string verify_error;

// A fast native method keeps the thread in the runnable state, as the verifier needs it. The thread is the second word of its environment.
jint HostVerify(JNIEnv* env, jclass, jclass klass) {
  auto* self = reinterpret_cast<art::Thread**>(env)[1];
  verify_error.clear();
  return VerifyClass(self, {DecodeJObject(self, klass)}, nullptr, true, art::verifier::HardFailLogMode::kLogNone, kApiLevel,
                     &verify_error);
}

jstring NativeLoad(JNIEnv* env, jclass, jstring path, jobject loader, jclass caller) {
  std::string error;
  if (LoadNativeLibrary(vm, env, TextOf(env, path), loader, caller, &error)) return nullptr;
  return env->NewStringUTF(error.c_str());
}

jlong NanoTime(JNIEnv*, jclass) {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

jlong CurrentTimeMillis(JNIEnv*, jclass) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

template <class To, class From>
To BitsOf(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To out;
  memcpy(&out, &value, sizeof out);
  return out;
}

jint FloatToBits(JNIEnv*, jclass, jfloat value) { return BitsOf<jint>(value); }
jfloat BitsToFloat(JNIEnv*, jclass, jint bits) { return BitsOf<jfloat>(bits); }
jlong DoubleToBits(JNIEnv*, jclass, jdouble value) { return BitsOf<jlong>(value); }
jdouble BitsToDouble(JNIEnv*, jclass, jlong bits) { return BitsOf<jdouble>(bits); }

// The shortest digits that read back as the same number, in Java's form: 1.0, 1.0E10, NaN.
template <class T>
jstring NumberText(JNIEnv* env, T value) {
  if (std::isnan(value)) return env->NewStringUTF("NaN");
  if (std::isinf(value)) return env->NewStringUTF(value < 0 ? "-Infinity" : "Infinity");
  if (value == 0) return env->NewStringUTF(std::signbit(value) ? "-0.0" : "0.0");
  char buffer[400];
  const T size = std::fabs(value);
  const bool plain = size >= static_cast<T>(1e-3) && size < static_cast<T>(1e7);
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer, end.ptr);
  if (plain) {
    if (text.find('.') == std::string::npos) text += ".0";
  } else {
    const size_t e = text.find('e');
    std::string digits = text.substr(0, e);
    if (digits.find('.') == std::string::npos) digits += ".0";
    text = digits + "E" + std::to_string(std::stoi(text.substr(e + 1)));
  }
  return env->NewStringUTF(text.c_str());
}

jstring FloatText(JNIEnv* env, jclass, jfloat value) { return NumberText(env, value); }
jstring DoubleText(JNIEnv* env, jclass, jdouble value) { return NumberText(env, value); }

template <double (*F)(double)>
jdouble One(JNIEnv*, jclass, jdouble a) { return F(a); }
template <double (*F)(double, double)>
jdouble Two(JNIEnv*, jclass, jdouble a, jdouble b) { return F(a, b); }

std::vector<uint8_t> BytesOf(JNIEnv* env, jbyteArray array, jsize from, jsize count) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  env->GetByteArrayRegion(array, from, count, reinterpret_cast<jbyte*>(bytes.data()));
  return bytes;
}

jbyteArray ArrayOf(JNIEnv* env, const std::vector<uint8_t>& bytes) {
  jbyteArray array = env->NewByteArray(static_cast<jsize>(bytes.size()));
  env->SetByteArrayRegion(array, 0, static_cast<jsize>(bytes.size()), reinterpret_cast<const jbyte*>(bytes.data()));
  return array;
}

jbyteArray FilesRead(JNIEnv* env, jclass, jstring path) {
  FILE* file = fopen(TextOf(env, path).c_str(), "rb");
  if (file == nullptr) return nullptr;
  std::vector<uint8_t> bytes;
  uint8_t block[65536];
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) bytes.insert(bytes.end(), block, block + n);
  fclose(file);
  return ArrayOf(env, bytes);
}

jboolean FilesExists(JNIEnv* env, jclass, jstring path) {
  return access(TextOf(env, path).c_str(), F_OK) == 0;
}

// FIPS 180-4.
std::vector<uint8_t> Sha256(std::vector<uint8_t> bytes) {
  static const uint32_t kRound[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
      0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
      0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
      0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
      0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
      0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto turn = [](uint32_t value, int by) { return value >> by | value << (32 - by); };
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  bytes.push_back(0x80);
  while (bytes.size() % 64 != 56) bytes.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<uint8_t>(bits >> shift));
  for (size_t at = 0; at < bytes.size(); at += 64) {
    uint32_t w[64];
    for (size_t i = 0; i < 16; i++)
      w[i] = uint32_t{bytes[at + 4 * i]} << 24 | uint32_t{bytes[at + 4 * i + 1]} << 16 | uint32_t{bytes[at + 4 * i + 2]} << 8 |
             bytes[at + 4 * i + 3];
    for (size_t i = 16; i < 64; i++)
      w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
             (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    uint32_t s[8];
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < 64; i++) {
      const uint32_t first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRound[i] + w[i];
      const uint32_t second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      memmove(s + 1, s, 7 * sizeof *s);
      s[4] += first;
      s[0] = first + second;
    }
    for (size_t i = 0; i < 8; i++) state[i] += s[i];
  }
  std::vector<uint8_t> out;
  for (const uint32_t word : state)
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(word >> shift));
  return out;
}

jbyteArray FilesSha256(JNIEnv* env, jclass, jbyteArray array) {
  return ArrayOf(env, Sha256(BytesOf(env, array, 0, env->GetArrayLength(array))));
}

// RFC 2104, with keys of one block at most.
jbyteArray FilesHmac(JNIEnv* env, jclass, jbyteArray key, jbyteArray message) {
  std::vector<uint8_t> inner = BytesOf(env, key, 0, env->GetArrayLength(key));
  inner.resize(64);
  std::vector<uint8_t> outer = inner;
  for (uint8_t& byte : inner) byte ^= 0x36;
  for (uint8_t& byte : outer) byte ^= 0x5c;
  const std::vector<uint8_t> text = BytesOf(env, message, 0, env->GetArrayLength(message));
  inner.insert(inner.end(), text.begin(), text.end());
  const std::vector<uint8_t> digest = Sha256(inner);
  outer.insert(outer.end(), digest.begin(), digest.end());
  return ArrayOf(env, Sha256(outer));
}

jbyteArray FilesRandom(JNIEnv* env, jclass, jint count) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  if (getentropy(bytes.data(), bytes.size()) != 0) return nullptr;
  return ArrayOf(env, bytes);
}

constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

jstring FilesBase64(JNIEnv* env, jclass, jbyteArray array) {
  std::string out;
  uint32_t word = 0;
  int bits = 0;
  for (const uint8_t byte : BytesOf(env, array, 0, env->GetArrayLength(array))) {
    word = word << 8 | byte;
    for (bits += 8; bits >= 6; bits -= 6) out += kLetters[word >> (bits - 6) & 63];
  }
  if (bits > 0) out += kLetters[word << (6 - bits) & 63];
  return env->NewStringUTF(out.c_str());
}

jbyteArray FilesFromBase64(JNIEnv* env, jclass, jstring text) {
  std::vector<uint8_t> out;
  uint32_t word = 0;
  int bits = 0;
  for (const char letter : TextOf(env, text)) {
    const char* at = strchr(kLetters, letter);
    if (at == nullptr) return nullptr;
    word = word << 6 | static_cast<uint32_t>(at - kLetters);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<uint8_t>(word >> bits));
  }
  return ArrayOf(env, out);
}

jbyteArray FilesExchange(JNIEnv* env, jclass, jstring host, jint port, jbyteArray request) {
  const std::vector<uint8_t> bytes = BytesOf(env, request, 0, env->GetArrayLength(request));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  if (inet_pton(AF_INET, TextOf(env, host).c_str(), &address.sin_addr) != 1) return nullptr;
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  std::vector<uint8_t> answer;
  if (connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    WriteAll(connection, std::string(bytes.begin(), bytes.end()));
    uint8_t block[4096];
    for (ssize_t n; (n = read(connection, block, sizeof block)) > 0;) answer.insert(answer.end(), block, block + n);
  }
  close(connection);
  return answer.empty() ? nullptr : ArrayOf(env, answer);
}

// Null where the data is damaged.
jbyteArray FilesInflate(JNIEnv* env, jclass, jbyteArray array, jint from, jint packed, jint size) {
  std::vector<uint8_t> in = BytesOf(env, array, from, packed);
  std::vector<uint8_t> out(static_cast<size_t>(size) + 1);
  ZStream stream = {};
  stream.next_in = in.data();
  stream.avail_in = static_cast<unsigned>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<unsigned>(out.size());
  if (inflateInit2_(&stream, -15, "1", sizeof stream) != 0) return nullptr;
  const bool ended = inflate(&stream, 4) == 1 && stream.avail_out == 1;
  inflateEnd(&stream);
  out.pop_back();
  return ended ? ArrayOf(env, out) : nullptr;
}

// A whole stream with the header of zlib; null where it is damaged.
jbyteArray FilesInflateStream(JNIEnv* env, jclass, jbyteArray array) {
  std::vector<uint8_t> in = BytesOf(env, array, 0, env->GetArrayLength(array));
  std::vector<uint8_t> out;
  std::vector<uint8_t> block(1 << 20);
  ZStream stream = {};
  stream.next_in = in.data();
  stream.avail_in = static_cast<unsigned>(in.size());
  if (inflateInit2_(&stream, 15, "1", sizeof stream) != 0) return nullptr;
  int state = 0;
  while (state == 0) {
    stream.next_out = block.data();
    stream.avail_out = static_cast<unsigned>(block.size());
    state = inflate(&stream, 0);
    out.insert(out.end(), block.begin(), block.end() - stream.avail_out);
  }
  inflateEnd(&stream);
  return state == 1 ? ArrayOf(env, out) : nullptr;
}

uint8_t Times2(uint8_t value) { return static_cast<uint8_t>(value << 1 ^ (value >> 7) * 0x1b); }

// FIPS 197, with a key of 32 bytes; tables are made here.
struct Aes256 {
  uint8_t box[256];
  uint8_t round_keys[15][16];

  explicit Aes256(const uint8_t* key) {
    uint8_t p = 1, q = 1;
    do {
      p = static_cast<uint8_t>(p ^ Times2(p));
      q ^= static_cast<uint8_t>(q << 1);
      q ^= static_cast<uint8_t>(q << 2);
      q ^= static_cast<uint8_t>(q << 4);
      if (q & 0x80) q ^= 0x09;
      const auto turn = [q](int by) { return static_cast<uint8_t>(q << by | q >> (8 - by)); };
      box[p] = static_cast<uint8_t>(q ^ turn(1) ^ turn(2) ^ turn(3) ^ turn(4) ^ 0x63);
    } while (p != 1);
    box[0] = 0x63;
    uint8_t* words = round_keys[0];
    memcpy(words, key, 32);
    uint8_t constant = 1;
    for (int i = 8; i < 60; i++) {
      uint8_t word[4];
      memcpy(word, words + 4 * (i - 1), 4);
      if (i % 8 == 0) {
        const uint8_t first = word[0];
        word[0] = static_cast<uint8_t>(box[word[1]] ^ constant);
        word[1] = box[word[2]];
        word[2] = box[word[3]];
        word[3] = box[first];
        constant = Times2(constant);
      } else if (i % 8 == 4) {
        for (uint8_t& byte : word) byte = box[byte];
      }
      for (int k = 0; k < 4; k++) words[4 * i + k] = static_cast<uint8_t>(words[4 * (i - 8) + k] ^ word[k]);
    }
  }

  void Encrypt(const uint8_t* in, uint8_t* out) const {
    uint8_t state[16];
    for (int i = 0; i < 16; i++) state[i] = in[i] ^ round_keys[0][i];
    for (int round = 1; round < 15; round++) {
      uint8_t moved[16];
      for (int i = 0; i < 16; i++) moved[i] = box[state[(i + 4 * (i % 4)) % 16]];
      for (int i = 0; i < 16; i += 4) {
        const uint8_t* c = moved + i;
        const uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3];
        for (int k = 0; k < 4; k++) {
          const uint8_t mixed = round == 14 ? c[k] : static_cast<uint8_t>(c[k] ^ all ^ Times2(c[k] ^ c[(k + 1) % 4]));
          state[i + k] = mixed ^ round_keys[round][i + k];
        }
      }
    }
    memcpy(out, state, 16);
  }
};

// AES-256 in counter mode (NIST SP 800-38A, 6.5); encryption and decryption are the same.
jbyteArray FilesCounterMode(JNIEnv* env, jclass, jbyteArray key, jbyteArray start, jbyteArray array) {
  if (env->GetArrayLength(key) != 32 || env->GetArrayLength(start) != 16) return nullptr;
  const Aes256 aes(BytesOf(env, key, 0, 32).data());
  std::vector<uint8_t> counter = BytesOf(env, start, 0, 16);
  std::vector<uint8_t> bytes = BytesOf(env, array, 0, env->GetArrayLength(array));
  uint8_t block[16];
  for (size_t at = 0; at < bytes.size(); at++) {
    if (at % 16 == 0) {
      aes.Encrypt(counter.data(), block);
      for (int i = 15; i >= 0 && ++counter[i] == 0; i--) {
      }
    }
    bytes[at] ^= block[at % 16];
  }
  return ArrayOf(env, bytes);
}

// -1 where there is no such file.
jlong FilesLength(JNIEnv* env, jclass, jstring path) {
  struct stat found;
  return stat(TextOf(env, path).c_str(), &found) == 0 ? found.st_size : -1;
}

jboolean FilesWrite(JNIEnv* env, jclass, jstring path, jbyteArray array) {
  const std::vector<uint8_t> bytes = BytesOf(env, array, 0, env->GetArrayLength(array));
  const int file = open(TextOf(env, path).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return JNI_FALSE;
  const bool written = WriteAll(file, std::string(bytes.begin(), bytes.end()));
  close(file);
  return written;
}

jboolean FilesMakeFolder(JNIEnv* env, jclass, jstring path) {
  return mkdir(TextOf(env, path).c_str(), 0700) == 0;
}

jboolean FilesRemove(JNIEnv* env, jclass, jstring path) {
  return remove(TextOf(env, path).c_str()) == 0;
}

// Null where there is no such folder.
jobjectArray FilesList(JNIEnv* env, jclass, jstring path) {
  DIR* folder = opendir(TextOf(env, path).c_str());
  if (folder == nullptr) return nullptr;
  std::vector<std::string> names;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(folder);
  jobjectArray list =
      env->NewObjectArray(static_cast<jsize>(names.size()), env->FindClass("java/lang/String"), nullptr);
  for (size_t i = 0; i < names.size(); i++)
    env->SetObjectArrayElement(list, static_cast<jsize>(i), env->NewStringUTF(names[i].c_str()));
  return list;
}

jboolean FilesRename(JNIEnv* env, jclass, jstring from, jstring to) {
  return rename(TextOf(env, from).c_str(), TextOf(env, to).c_str()) == 0;
}

// What a link leads to; null where it is none.
jstring FilesLink(JNIEnv* env, jclass, jstring path) {
  char target[4096];
  const ssize_t length = readlink(TextOf(env, path).c_str(), target, sizeof target - 1);
  if (length < 0) return nullptr;
  target[length] = 0;
  return env->NewStringUTF(target);
}

// -1 where it cannot be read.
jlong FilesNode(JNIEnv* env, jclass, jstring path) {
  struct stat found;
  return stat(TextOf(env, path).c_str(), &found) == 0 ? static_cast<jlong>(found.st_ino) : -1;
}

// A descriptor to read from, or -1.
jint FilesOpen(JNIEnv* env, jclass, jstring path) {
  return open(TextOf(env, path).c_str(), O_RDONLY | O_CLOEXEC);
}

// How many bytes were read, -1 where it failed.
jint FilesReadAt(JNIEnv* env, jclass, jint file, jlong at, jbyteArray into, jint from, jint count) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  const ssize_t n = pread(file, bytes.data(), bytes.size(), at);
  if (n > 0) env->SetByteArrayRegion(into, from, static_cast<jsize>(n), reinterpret_cast<const jbyte*>(bytes.data()));
  return static_cast<jint>(n);
}

void FilesClose(JNIEnv*, jclass, jint file) { close(file); }

jint FilesControl(JNIEnv*, jclass, jint option, jlong value) {
  return prctl(option, static_cast<unsigned long>(value), 0, 0, 0);
}

void Register(JNIEnv* env, const char* type, const std::vector<JNINativeMethod>& methods) {
  jclass klass = env->FindClass(type);
  ExitOnException(env, type);
  env->RegisterNatives(klass, methods.data(), static_cast<jint>(methods.size()));
  ExitOnException(env, type);
}

JNINativeMethod Native(const char* name, const char* signature, const void* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), const_cast<void*>(function)};
}

#define FUNCTION(f) reinterpret_cast<const void*>(f)
#define MATH1(name) Native(#name, "(D)D", FUNCTION((One<static_cast<double (*)(double)>(::name)>)))
#define MATH2(name) Native(#name, "(DD)D", FUNCTION((Two<static_cast<double (*)(double, double)>(::name)>)))

void RegisterAll(JNIEnv* env) {
  Register(env, "hostruntime/Host",
           {Native("write", "(ILjava/lang/String;)V", FUNCTION(HostWrite)), Native("exit", "(I)V", FUNCTION(HostExit)),
            Native("fail", "(Ljava/lang/Throwable;)V", FUNCTION(HostFail)),
            Native("verify", "(Ljava/lang/Class;)I", FUNCTION(HostVerify))});
  Register(env, "hostruntime/Files",
           {Native("read", "(Ljava/lang/String;)[B", FUNCTION(FilesRead)),
            Native("exists", "(Ljava/lang/String;)Z", FUNCTION(FilesExists)), Native("sha256", "([B)[B", FUNCTION(FilesSha256)),
            Native("hmac", "([B[B)[B", FUNCTION(FilesHmac)), Native("random", "(I)[B", FUNCTION(FilesRandom)),
            Native("base64", "([B)Ljava/lang/String;", FUNCTION(FilesBase64)),
            Native("fromBase64", "(Ljava/lang/String;)[B", FUNCTION(FilesFromBase64)),
            Native("exchange", "(Ljava/lang/String;I[B)[B", FUNCTION(FilesExchange)),
            Native("inflate", "([BIII)[B", FUNCTION(FilesInflate)),
            Native("inflateStream", "([B)[B", FUNCTION(FilesInflateStream)),
            Native("counterMode", "([B[B[B)[B", FUNCTION(FilesCounterMode)),
            Native("length", "(Ljava/lang/String;)J", FUNCTION(FilesLength)),
            Native("write", "(Ljava/lang/String;[B)Z", FUNCTION(FilesWrite)),
            Native("rename", "(Ljava/lang/String;Ljava/lang/String;)Z", FUNCTION(FilesRename)),
            Native("makeFolder", "(Ljava/lang/String;)Z", FUNCTION(FilesMakeFolder)),
            Native("remove", "(Ljava/lang/String;)Z", FUNCTION(FilesRemove)),
            Native("list", "(Ljava/lang/String;)[Ljava/lang/String;", FUNCTION(FilesList)),
            Native("link", "(Ljava/lang/String;)Ljava/lang/String;", FUNCTION(FilesLink)),
            Native("node", "(Ljava/lang/String;)J", FUNCTION(FilesNode)),
            Native("open", "(Ljava/lang/String;)I", FUNCTION(FilesOpen)),
            Native("readAt", "(IJ[BII)I", FUNCTION(FilesReadAt)), Native("close", "(I)V", FUNCTION(FilesClose)),
            Native("control", "(IJ)I", FUNCTION(FilesControl))});
  Register(env, "java/lang/Runtime",
           {Native("nativeLoad", "(Ljava/lang/String;Ljava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/String;",
                   FUNCTION(NativeLoad))});
  Register(env, "java/lang/System",
           {Native("nanoTime", "()J", FUNCTION(NanoTime)), Native("currentTimeMillis", "()J", FUNCTION(CurrentTimeMillis))});
  Register(env, "java/lang/Float",
           {Native("floatToRawIntBits", "(F)I", FUNCTION(FloatToBits)), Native("intBitsToFloat", "(I)F", FUNCTION(BitsToFloat)),
            Native("toString", "(F)Ljava/lang/String;", FUNCTION(FloatText))});
  Register(env, "java/lang/Double",
           {Native("doubleToRawLongBits", "(D)J", FUNCTION(DoubleToBits)),
            Native("longBitsToDouble", "(J)D", FUNCTION(BitsToDouble)),
            Native("toString", "(D)Ljava/lang/String;", FUNCTION(DoubleText))});
  Register(env, "java/lang/Math",
           {MATH1(cos), MATH1(sin), MATH1(acos), MATH1(asin), MATH1(atan), MATH1(cbrt), MATH1(cosh), MATH1(exp), MATH1(expm1),
            MATH1(log), MATH1(log10), MATH1(sinh), MATH1(tan), MATH1(tanh), MATH1(sqrt), MATH1(ceil), MATH1(floor), MATH1(rint),
            MATH2(atan2), MATH2(pow), MATH2(hypot), Native("nextAfter", "(DD)D", FUNCTION((Two<static_cast<double (*)(double, double)>(::nextafter)>)))});
}

// --- start

JNIEnv* StartRuntime(const std::string& core) {
  // A space of its own for large objects finds no place in the lower 4 GB here.
  const std::string options[] = {
      "-Xbootclasspath:" + core, "-Xbootclasspath-locations:" + core, "-Ximage:/nonexistent", "-Xnoimage-dex2oat", "-Xint",
      "-Xusejit:false",          "-Xverify:all",                      "-Xmx1024m",
      "-XX:LargeObjectSpace=disabled",
  };
  std::vector<JavaVMOption> list;
  // CheckJNI: ends the process where native code breaks a rule of JNI. It makes calls slower, so not every run has it.
  if (getenv("HOST_CHECK_JNI") != nullptr) list.push_back({const_cast<char*>("-Xcheck:jni"), nullptr});
  for (const std::string& one : options) list.push_back({const_cast<char*>(one.c_str()), nullptr});
  JavaVMInitArgs arguments = {JNI_VERSION_1_6, static_cast<jint>(list.size()), list.data(), JNI_TRUE};
  JNIEnv* env = nullptr;
  if (JNI_CreateJavaVM(&vm, reinterpret_cast<void**>(&env), &arguments) != JNI_OK) {
    Report("\"notStarted\":\"the runtime\"");
    End(kNotStarted);
  }
  return env;
}

jbyteArray ReadFile(JNIEnv* env, const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == nullptr) {
    Report("\"notStarted\":" + Json(std::string("cannot read ") + path));
    End(kNotStarted);
  }
  std::vector<jbyte> bytes;
  jbyte block[65536];
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) bytes.insert(bytes.end(), block, block + n);
  fclose(file);
  jbyteArray array = env->NewByteArray(static_cast<jsize>(bytes.size()));
  env->SetByteArrayRegion(array, 0, static_cast<jsize>(bytes.size()), bytes.data());
  return array;
}

struct Loaded {
  jobject loader;
  jobject file;
};

// The system class loader with these files, as an application's.
Loaded Load(JNIEnv* env, const std::vector<const char*>& paths) {
  jobjectArray files = env->NewObjectArray(static_cast<jsize>(paths.size()), env->FindClass("[B"), nullptr);
  for (size_t i = 0; i < paths.size(); i++)
    env->SetObjectArrayElement(files, static_cast<jsize>(i), ReadFile(env, paths[i]));
  jclass loaders = env->FindClass("java/lang/ClassLoader");
  jobject loader = env->CallStaticObjectMethod(
      loaders, env->GetStaticMethodID(loaders, "getSystemClassLoader", "()Ljava/lang/ClassLoader;"));
  ExitOnException(env, "the system class loader");
  jclass dex_file = env->FindClass("dalvik/system/DexFile");
  jobject file = env->CallStaticObjectMethod(
      dex_file, env->GetStaticMethodID(dex_file, "load", "([[BLjava/lang/ClassLoader;)Ldalvik/system/DexFile;"), files, nullptr);
  ExitOnException(env, "the dex files");
  jclass base = env->FindClass("dalvik/system/BaseDexClassLoader");
  env->CallVoidMethod(loader, env->GetMethodID(base, "use", "(Ldalvik/system/DexFile;)V"), file);
  ExitOnException(env, "the class loader");
  return {loader, file};
}

jclass LoadClass(JNIEnv* env, jobject loader, jstring name) {
  jclass loaders = env->FindClass("java/lang/ClassLoader");
  return static_cast<jclass>(env->CallObjectMethod(
      loader, env->GetMethodID(loaders, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;"), name));
}

int Run(JNIEnv* env, const std::vector<std::string>& programs, const std::vector<const char*>& paths,
        const std::vector<const char*>& arguments) {
  const Loaded loaded = Load(env, paths);
  jobjectArray texts = env->NewObjectArray(static_cast<jsize>(arguments.size()), env->FindClass("java/lang/String"), nullptr);
  for (size_t i = 0; i < arguments.size(); i++)
    env->SetObjectArrayElement(texts, static_cast<jsize>(i), env->NewStringUTF(arguments[i]));
  jclass host = env->FindClass("hostruntime/Host");
  jmethodID await = env->GetStaticMethodID(host, "awaitThreads", "()V");
  int status = 0;
  for (const std::string& program : programs) {
    env->PushLocalFrame(64);
    current_program = program;
    if (programs.size() > 1)
      for (const int descriptor : {1, kLog, kErrors}) WriteAll(descriptor, std::string(1, '\0') + program + "\n");
    jclass main_class = LoadClass(env, loaded.loader, env->NewStringUTF(program.c_str()));
    jmethodID main_method =
        env->ExceptionCheck() ? nullptr : env->GetStaticMethodID(main_class, "main", "([Ljava/lang/String;)V");
    if (main_method != nullptr) env->CallStaticVoidMethod(main_class, main_method, texts);
    std::string thrown = TakeException(env);
    if (thrown.empty()) {
      env->CallStaticVoidMethod(host, await);
      thrown = TakeException(env);
    }
    status = thrown.empty() ? 0 : 1;
    Report("\"program\":" + Json(program) + ",\"exit\":" + std::to_string(status) +
           (thrown.empty() ? "" : ",\"exception\":" + thrown));
    env->PopLocalFrame(nullptr);
  }
  return programs.size() > 1 ? 0 : status;
}

int Verify(JNIEnv* env, const std::vector<const char*>& paths) {
  const Loaded loaded = Load(env, paths);
  jclass dex_file = env->FindClass("dalvik/system/DexFile");
  auto names = static_cast<jobjectArray>(
      env->CallObjectMethod(loaded.file, env->GetMethodID(dex_file, "classNames", "()[Ljava/lang/String;")));
  ExitOnException(env, "the names of the classes");
  jclass host = env->FindClass("hostruntime/Host");
  jmethodID verify = env->GetStaticMethodID(host, "verify", "(Ljava/lang/Class;)I");
  const jsize count = env->GetArrayLength(names);
  for (jsize i = 0; i < count; i++) {
    env->PushLocalFrame(64);
    auto name = static_cast<jstring>(env->GetObjectArrayElement(names, i));
    jclass klass = LoadClass(env, loaded.loader, name);
    const std::string thrown = TakeException(env);
    if (!thrown.empty()) {
      Report("\"class\":" + Json(TextOf(env, name)) + ",\"exception\":" + thrown);
    } else {
      const jint kind = env->CallStaticIntMethod(host, verify, klass);
      const std::string during = TakeException(env);
      if (kind != 0)
        Report("\"class\":" + Json(TextOf(env, name)) + ",\"failure\":" + std::to_string(kind) +
               ",\"error\":" + Json(verify_error));
      else if (!during.empty())
        Report("\"class\":" + Json(TextOf(env, name)) + ",\"exception\":" + during);
    }
    env->PopLocalFrame(nullptr);
  }
  Report("\"classes\":" + std::to_string(count));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    fprintf(stderr, "usage: host-runtime CORE.dex run MAIN[,MAIN] DEX... [-- ARGUMENT...] | verify DEX...\n");
    return 2;
  }
  const bool run = strcmp(words[2], "run") == 0;
  std::vector<std::string> programs;
  int at = 3;
  if (run) {
    std::string rest = words[at++];
    for (size_t comma; (comma = rest.find(',')) != std::string::npos; rest = rest.substr(comma + 1))
      programs.push_back(rest.substr(0, comma));
    programs.push_back(rest);
  }
  std::vector<const char*> paths;
  std::vector<const char*> arguments;
  for (; at < count && strcmp(words[at], "--") != 0; at++) paths.push_back(words[at]);
  for (at++; at < count; at++) arguments.push_back(words[at]);
  JNIEnv* env = StartRuntime(words[1]);
  RegisterAll(env);
  End(run ? Run(env, programs, paths, arguments) : Verify(env, paths));
}
