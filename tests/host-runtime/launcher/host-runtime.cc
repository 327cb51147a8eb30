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

void WriteAll(int descriptor, const std::string& text) {
  const char* at = text.data();
  size_t left = text.size();
  while (left > 0) {
    ssize_t n = write(descriptor, at, left);
    if (n < 0) return;
    at += n;
    left -= static_cast<size_t>(n);
  }
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
