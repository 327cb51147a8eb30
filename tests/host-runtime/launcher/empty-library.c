// ART loads libicu_jni, libjavacore and libopenjdk when it starts; the launcher implements what they would.
int JNI_OnLoad(void* vm, void* reserved) {
  (void)vm;
  (void)reserved;
  return 0x10006;
}
