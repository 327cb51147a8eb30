// A library that, once loaded, has this process traced by a child, as a debugger does.
#include <jni.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

// Lets the traced thread go on after each stop, with the signal that it stopped for.
static void Follow(pid_t traced) {
  int status;
  while (waitpid(traced, &status, __WALL) == traced && WIFSTOPPED(status)) {
    const int signal = status >> 16 ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_CONT, traced, NULL, (void*)(long)signal);
  }
  _exit(0);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)vm;
  (void)reserved;
  int ready[2];
  const pid_t traced = getpid();
  if (pipe(ready) != 0) return JNI_ERR;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  const pid_t child = fork();
  if (child < 0) return JNI_ERR;
  if (child == 0) {
    // The pipes of the tests end with the traced process.
    for (int descriptor = 1; descriptor < 6; descriptor++) close(descriptor);
    const char attached = ptrace(PTRACE_SEIZE, traced, NULL, NULL) == 0;
    if (write(ready[1], &attached, 1) != 1 || !attached) _exit(1);
    Follow(traced);
  }
  char attached = 0;
  if (read(ready[0], &attached, 1) != 1 || !attached) return JNI_ERR;
  close(ready[0]);
  close(ready[1]);
  return JNI_VERSION_1_6;
}
