// The library of programs.Natives: one method found by its name, two registered when it is loaded.
#include <jni.h>
#include <string.h>

JNIEXPORT jint JNICALL Java_programs_Natives_twice(JNIEnv* env, jclass type, jint value) {
  jmethodID back = (*env)->GetStaticMethodID(env, type, "back", "(I)I");
  return 2 * (*env)->CallStaticIntMethod(env, type, back, value);
}

static jstring Greeting(JNIEnv* env, jclass type, jstring name) {
  (void)type;
  char text[64] = "hello ";
  const char* chars = (*env)->GetStringUTFChars(env, name, NULL);
  strncat(text, chars, sizeof text - 8);
  (*env)->ReleaseStringUTFChars(env, name, chars);
  return (*env)->NewStringUTF(env, text);
}

static void Fails(JNIEnv* env, jclass type) {
  (void)type;
  (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "from native code");
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)reserved;
  JNIEnv* env;
  if ((*vm)->GetEnv(vm, (void**)&env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  static const JNINativeMethod methods[] = {
      {"greeting", "(Ljava/lang/String;)Ljava/lang/String;", (void*)Greeting},
      {"fails", "()V", (void*)Fails},
  };
  jclass type = (*env)->FindClass(env, "programs/Natives");
  if (type == NULL || (*env)->RegisterNatives(env, type, methods, 2) != JNI_OK) return JNI_ERR;
  return JNI_VERSION_1_6;
}
