#include <jni.h>

static jint add(JNIEnv *env, jclass type, jint a, jint b) { return a + b; }

/* No exported Java_… names: the table ties methods to static functions. */
JNIEXPORT jint JNI_OnLoad(JavaVM *vm, void *reserved) {
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
    jclass type = (*env)->FindClass(env, "com/example/app/Native");
    static const JNINativeMethod methods[] = {{"add", "(II)I", (void *)add}};
    return type && (*env)->RegisterNatives(env, type, methods, 1) == JNI_OK ? JNI_VERSION_1_6 : JNI_ERR;
}
