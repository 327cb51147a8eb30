// A library that, once loaded, does to this process what tools of dumps and hooks do. INTRUDE says what.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

enum { WRITABLE_CODE = 1, LIBRARY_OF_MEMORY, TOOL_FILE, HOOK, UNPRIVILEGED, WRITABLE_CODE_LATER, HOOK_OF_APP };

static void* Memory(int protection) {
  return mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void* Later(void* none) {
  sleep(3);
  Memory(PROT_READ | PROT_WRITE | PROT_EXEC);
  return none;
}

// Maps a page as code out of a memfd.
static int LibraryOfMemory(void) {
  const int file = memfd_create("module", 0);
  static const char page[4096] = "\x7f" "ELF";
  if (file < 0 || write(file, page, sizeof page) != (ssize_t)sizeof page) return 0;
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED;
}

static long Refused(void) {
  errno = EPERM;
  return -1;
}

// ptrace of the C library leads here, as an inline hook makes it: jmp through the eight bytes behind it.
static int Hook(void) {
  uint8_t* function = dlsym(RTLD_DEFAULT, "ptrace");
  uint8_t code[14] = {0xff, 0x25, 0, 0, 0, 0};
  void* target = (void*)Refused;
  memcpy(code + 6, &target, sizeof target);
  uint8_t* page = (uint8_t*)((uintptr_t)function & ~(uintptr_t)4095);
  if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 0;
  memcpy(function, code, sizeof code);
  // Put back, as careful tools do.
  return mprotect(page, 8192, PROT_READ | PROT_EXEC) == 0 && ptrace(PTRACE_TRACEME, 0, NULL, NULL) == -1;
}

// What Android does to every process of an app.
static int Unprivileged(void) {
  if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 0;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)vm;
  (void)reserved;
  int done = 0;
  if (INTRUDE == WRITABLE_CODE) done = Memory(PROT_READ | PROT_WRITE | PROT_EXEC) != MAP_FAILED;
  if (INTRUDE == LIBRARY_OF_MEMORY) done = LibraryOfMemory();
  if (INTRUDE == TOOL_FILE) done = memfd_create("re.frida.server", 0) >= 0;
  if (INTRUDE == HOOK) done = Hook();
  if (INTRUDE == UNPRIVILEGED) done = Unprivileged();
  if (INTRUDE == HOOK_OF_APP) done = Hook() && Unprivileged();
  pthread_t thread;
  if (INTRUDE == WRITABLE_CODE_LATER) done = pthread_create(&thread, NULL, Later, NULL) == 0;
  return done ? JNI_VERSION_1_6 : JNI_ERR;
}
