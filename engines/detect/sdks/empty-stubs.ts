import type { Program } from '../../dex/program.ts'

/** Debugging tools whose release variant has the same names and does nothing; the real one has this class as well. */
const REAL: Readonly<Record<string, readonly string[]>> = {
  flipper: ['Lcom/facebook/flipper/android/AndroidFlipperClient;', 'Lcom/facebook/flipper/android/FlipperThread;'],
  leakcanary: [
    'Lleakcanary/internal/InternalLeakCanary;',
    'Lleakcanary/internal/LeakDirectoryProvider;',
    'Lcom/squareup/leakcanary/internal/DisplayLeakActivity;',
    'Lshark/HeapAnalyzer;',
  ],
  chucker: [
    'Lcom/chuckerteam/chucker/internal/ui/MainActivity;',
    'Lcom/chuckerteam/chucker/internal/data/entity/HttpTransaction;',
  ],
}

/** Whether only the empty variant of a debugging tool is there. */
export function isEmptyStub(id: string, program: Program | null): boolean {
  const real = REAL[id]
  return real !== undefined && program !== null && !real.some((descriptor) => program.classOf(descriptor))
}
