import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failureGroup } from './failure-group.ts'
import { isOwn } from './own-code.ts'
import { readStack } from './read-stack.ts'
import { STACK_LIMITS } from './stack.ts'

const KOTLIN = `java.lang.IllegalStateException: Fragment PayResultFragment{3fa91c7} not attached to an activity
	at androidx.fragment.app.Fragment.requireActivity(Fragment.java:1011)
	at com.hefan.wallet.pay.PayResultFragment.onBill(PayResultFragment.kt:214)
	at com.hefan.wallet.pay.BillRepo$load$1.invokeSuspend(BillRepo.kt:88)
	at kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)
	at app//com.hefan.wallet.core.UiScope.dispatch(UiScope.kt:41)
	at java.base/java.lang.reflect.Method.invoke(Native Method)
	Suppressed: kotlinx.coroutines.internal.DiagnosticCoroutineContextException: [a, b]
		at com.hefan.wallet.core.UiScope.x(Unknown Source:12)
Caused by: java.io.IOException: first line
second line
	at com.hefan.wallet.net.Api.call(r8-map-id-0123abcd:7)
	... 17 more
`

describe('[EXC-02] reading stacks', () => {
  test('Java and Kotlin with causes, suppressed ones, modules, unknown sources', () => {
    const { segments, cut } = readStack(KOTLIN)
    expect(cut).toBe(false)
    expect(segments.map(({ relation, type, omitted }) => [relation, type, omitted])).toEqual([
      ['thrown', 'java.lang.IllegalStateException', 0],
      ['suppressed', 'kotlinx.coroutines.internal.DiagnosticCoroutineContextException', 0],
      ['caused', 'java.io.IOException', 17],
    ])
    expect(segments[2]?.message).toBe('first line\nsecond line')
    expect(segments[0]?.frames[1]).toMatchObject({
      module: 'com.hefan.wallet.pay.PayResultFragment',
      name: 'onBill',
      file: 'PayResultFragment.kt',
      line: 214,
    })
    expect(segments[0]?.frames[4]?.module).toBe('com.hefan.wallet.core.UiScope')
    expect(segments[0]?.frames[5]).toMatchObject({ module: 'java.lang.reflect.Method', file: '', line: 0 })
    expect(segments[2]?.frames[0]).toMatchObject({ file: '', line: 7 })
    expect(segments[0]?.frames.map((frame) => isOwn(frame))).toEqual([false, true, true, false, true, false])
  })

  test('a tombstone is parsed into signal and native frames', () => {
    const { segments } = readStack(`signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10
backtrace:
  #00 pc 000000000001f2c4  /data/app/~~x==/com.hefan.wallet-y==/lib/arm64/libpay.so (pay::Signer::sign(unsigned char const*, int)+120) (BuildId: 9f3c)
  #01 pc 0000000000021000  /data/app/~~x==/com.hefan.wallet-y==/lib/arm64/libpay.so (BuildId: 9f3c)
  #02 pc 00000000000a1b2c  /apex/com.android.art/lib64/libart.so (art_quick_generic_jni_trampoline+144)`)
    expect(segments).toHaveLength(1)
    expect(segments[0]).toMatchObject({ type: 'SIGSEGV', message: 'code 1 (SEGV_MAPERR), fault addr 0x10' })
    expect(segments[0]?.frames.map(({ name, address }) => [name, address])).toEqual([
      ['pay::Signer::sign(unsigned char const*, int)', ''],
      ['', '21000'],
      ['art_quick_generic_jni_trampoline', ''],
    ])
    expect(segments[0]?.frames.map((frame) => isOwn(frame))).toEqual([true, true, false])
  })

  test('an iOS crash report is parsed into exception and frames', () => {
    const { segments } =
      readStack(`*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '-[Bill amount]: unrecognized selector'
Last Exception Backtrace:
0   CoreFoundation                	0x000000018a1b2c3d __exceptionPreprocess + 164
1   Wallet                        	0x0000000104a1b2c3 -[PayViewController showBill:] + 88 (PayViewController.m:120)
2   Wallet                        	0x0000000104a1b2c4 Wallet.BillStore.load(id: Swift.Int) -> () + 240
3   Wallet                        	0x0000000104a1b2c5 0x104a00000 + 111300
4   Foundation                    	0x000000018b1b2c3d __NSThread__start__ + 732`)
    expect(segments[0]).toMatchObject({
      type: 'NSInvalidArgumentException',
      message: '-[Bill amount]: unrecognized selector',
    })
    const frames = segments[0]?.frames ?? []
    expect(frames.map(({ module, name, line }) => [module, name, line])).toEqual([
      ['CoreFoundation', '__exceptionPreprocess', 0],
      ['Wallet', '-[PayViewController showBill:]', 120],
      ['Wallet', 'Wallet.BillStore.load(id: Swift.Int) -> ()', 0],
      ['Wallet', '', 0],
      ['Foundation', '__NSThread__start__', 0],
    ])
    expect(frames.map((frame) => isOwn(frame))).toEqual([false, true, true, true, false])
  })

  test('V8, Firefox and Safari agree on one error', () => {
    const v8 = readStack(`TypeError: Cannot read properties of undefined (reading 'amount')
    at formatBill (https://h5.example.cn/assets/app.js:10:15)
    at async Pay.submit [as onClick] (https://h5.example.cn/assets/app.js:20:3)
    at https://h5.example.cn/assets/app.js:1:9
    at Array.map (<anonymous>)
    at new Pay (https://h5.example.cn/assets/app.js:3:1)`)
    const firefox = readStack(`formatBill@https://h5.example.cn/assets/app.js:10:15
submit@https://h5.example.cn/assets/app.js:20:3
@https://h5.example.cn/assets/app.js:1:9`)
    const safari = readStack(
      'formatBill@https://h5.example.cn/assets/app.js:10:15\nmap@[native code]\nglobal code@https://h5.example.cn/assets/app.js:1:9',
    )
    const names = (stack: typeof v8) => stack.segments[0]?.frames.map(({ name, line, column }) => [name, line, column])
    expect(names(v8)).toEqual([
      ['formatBill', 10, 15],
      ['Pay.submit', 20, 3],
      ['', 1, 9],
      ['Array.map', 0, 0],
      ['Pay', 3, 1],
    ])
    expect(names(firefox)).toEqual([
      ['formatBill', 10, 15],
      ['submit', 20, 3],
      ['', 1, 9],
    ])
    expect(names(safari)).toEqual([
      ['formatBill', 10, 15],
      ['map', 0, 0],
      ['', 1, 9],
    ])
    expect(v8.segments[0]).toMatchObject({
      type: 'TypeError',
      message: "Cannot read properties of undefined (reading 'amount')",
    })
  })

  test('an ANR: threads with what they wait for', () => {
    const { segments } = readStack(`"main" prio=5 tid=1 Blocked
  | group="main" sCount=1
  at com.hefan.wallet.db.Store.read(Store.kt:31)
  - waiting to lock <0x0a1b2c3d> (a java.lang.Object) held by thread 12
  native: #00 pc 00000000000d1f2c  /apex/com.android.runtime/lib64/bionic/libc.so (syscall+28)
"Db" prio=5 tid=12 Native
  at com.hefan.wallet.db.Store.write(Store.kt:60)`)
    expect(segments.map(({ relation, type, frames }) => [relation, type, frames.length])).toEqual([
      ['thread', 'main', 2],
      ['thread', 'Db', 1],
    ])
  })

  test('any text is read, bounded and fast', () => {
    const part = fc.constantFrom(
      'at ',
      'a.b.c(',
      ')',
      '(',
      '@',
      '#00 pc ',
      '0x1',
      '\n',
      ' ',
      '... 3 more',
      'Caused by: ',
      ':1',
      ':2:3',
      '"',
      '$',
      '+',
      '/',
      '.',
      '<',
      "'",
      'x',
    )
    const hostile = fc.array(fc.oneof(part, fc.string()), { maxLength: 400 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(hostile, (text) => {
        const stack = readStack(text)
        for (const segment of stack.segments) for (const frame of segment.frames) expect(text).toContain(frame.raw)
        expect(failureGroup({ stack: text }, ORIGIN)).toMatch(/^(?:[0-9a-f]{16})?$/)
      }),
    )
    for (const unit of [
      'at ',
      'a@',
      '@',
      '1 a ',
      '(',
      'a.',
      '#00 pc 1 ',
      ':1',
      '"x" ',
      '$$Lambda',
      'lambda$',
      ' (BuildId:',
    ]) {
      const begun = performance.now()
      readStack(unit.repeat(40_000))
      failureGroup({ stack: `at x.y.z(a:1)\n${unit.repeat(16_000)}` }, ORIGIN)
      expect(performance.now() - begun).toBeLessThan(500)
    }
    expect(readStack('x'.repeat(70_000)).cut).toBe(true)
    expect(readStack('at a.b.c(D.java:1)\n'.repeat(5000)).segments[0]?.frames.length).toBeLessThanOrEqual(
      STACK_LIMITS.lines,
    )
  })
})

const ORIGIN = { app: 1, type: 3, version: '5.8.2', packageName: '' }
const group = (stack: string, origin = ORIGIN) => failureGroup({ stack }, origin)

describe('[EXC-01] fingerprints', () => {
  test('a thousand variants of one crash are one group, and a thousand of another one are another', () => {
    const variant = (
      line: number,
      method: string,
      seed: number,
    ) => `java.lang.IllegalStateException: order ${seed} at ${seed * 7}
	at androidx.fragment.app.Fragment.${seed % 2 ? 'requireActivity' : 'requireContext'}(Fragment.java:${line})
	at com.hefan.wallet.pay.PayResultFragment.${method}(PayResultFragment.kt:${line + 1})
	at com.hefan.wallet.pay.-$$Lambda$PayResultFragment$${seed.toString(36)}x${seed}.run(Unknown Source:${line})
	at com.hefan.wallet.pay.PayResultFragment$$ExternalSyntheticLambda${seed % 9}.onClick(Unknown Source:2)
	at com.hefan.wallet.pay.BillRepo.lambda$load$${seed % 30}(BillRepo.kt:${line})
	at com.hefan.wallet.pay.BillRepo$load$${seed % 12}.invokeSuspend(BillRepo.kt:88)
	at android.os.Handler.${seed % 3 ? 'handleCallback' : 'dispatchMessage'}(Handler.java:${line})
	${seed % 5 ? 'at dalvik.system.NativeStart.main(Native Method)' : '... 12 more'}`
    const groups = (method: string) =>
      new Set(
        Array.from({ length: 1000 }, (_, seed) =>
          group(variant(seed % 977, method, seed), { ...ORIGIN, version: `5.${seed % 9}.${seed % 4}` }),
        ),
      )
    const [one, other] = [groups('onBill'), groups('onRefund')]
    expect([one.size, other.size]).toEqual([1, 1])
    expect([...one][0]).not.toBe([...other][0])
  })

  test('kind, application, exception and innermost cause part groups; the message and the order of versions do not', () => {
    const base = group(KOTLIN)
    expect(group(KOTLIN.replace('first line', 'other'))).toBe(base)
    expect(group(KOTLIN, { ...ORIGIN, version: '1' })).toBe(base)
    expect(group(KOTLIN, { ...ORIGIN, app: 2 })).not.toBe(base)
    expect(group(KOTLIN, { ...ORIGIN, type: 5 })).not.toBe(base)
    expect(group(KOTLIN.replace('java.io.IOException', 'java.io.EOFException'))).not.toBe(base)
    expect(group(KOTLIN.replace('Api.call', 'Api.send'))).not.toBe(base)
  })

  test('recursion of any depth is one group', () => {
    const deep = (n: number) =>
      `java.lang.StackOverflowError\n${'\tat com.x.Tree.walk(Tree.java:4)\n\tat com.x.Node.visit(Node.java:9)\n'.repeat(n)}`
    expect(group(deep(3))).toBe(group(deep(250)))
  })

  test('names of a shrunk build stay within their version', () => {
    const shrunk = 'java.lang.NullPointerException\n\tat a.b.c.a(SourceFile:12)\n\tat a.b.d.run(Unknown Source:3)'
    expect(group(shrunk)).toBe(group(shrunk))
    expect(group(shrunk, { ...ORIGIN, version: '5.8.3' })).not.toBe(group(shrunk))
    expect(group(shrunk.replace(':12', ':13'))).not.toBe(group(shrunk))
  })

  test('native frames: functions without offsets; without functions the location in the build', () => {
    const native = (pc: string, version = '1') =>
      group(
        `signal 11 (SIGSEGV), code 1\n #00 pc 00${pc} /data/app/a-${pc}==/lib/arm64/libpay.so (pay::sign(int)+${pc}) (BuildId: ab)`,
        { ...ORIGIN, version },
      )
    expect(native('12', '2')).toBe(native('34'))
    const bare = (pc: string) => group(`signal 11 (SIGSEGV), code 1\n #00 pc 00${pc} /data/app/a/lib/arm64/libpay.so`)
    expect(bare('12')).not.toBe(bare('34'))
  })

  test('without a stack the reason groups; without both nothing does', () => {
    expect(failureGroup({ reason: 'input dispatching timed out' }, ORIGIN)).toMatch(/^[0-9a-f]{16}$/)
    for (const nothing of [null, undefined, {}, [], { stack: 5 }, { stack: '' }, { reason: 1 }])
      expect(failureGroup(nothing, ORIGIN)).toBe('')
  })
})
