import type { Platform } from '#domain/vocabulary.ts'

/** A defect of the demo's applications: what fails, where, and its message. `~` is a placeholder for the application's package or binary. */
export type Defect = {
  kind: 'crash' | 'anr' | 'exception'
  platform: Exclude<Platform, 'web'>
  share: number
  reason: string
  /** `#` becomes a number that differs from event to event. */
  message: string
  thread: string
  /** Lines of the stack below its first one; `L<n>` a line number that moves a little from version to version. */
  frames: readonly string[]
  /** A cause with frames of its own, Java alone. */
  cause?: { reason: string; message: string; frames: readonly string[] }
  /** Was resolved once and is back in the newest version. */
  regressed?: true
  steps: readonly string[]
}

const ANDROID_TAIL = [
  'android.os.Handler.handleCallback(Handler.java:958)',
  'android.os.Looper.loopOnce(Looper.java:205)',
  'android.os.Looper.loop(Looper.java:294)',
  'android.app.ActivityThread.main(ActivityThread.java:8177)',
]
const COROUTINE_TAIL = [
  'kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)',
  'kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:108)',
  'kotlinx.coroutines.scheduling.CoroutineScheduler.runSafely(CoroutineScheduler.kt:584)',
]
const NET = ['okhttp3.internal.connection.RealCall.execute(RealCall.kt:154)', 'java.lang.Thread.run(Thread.java:1012)']

export const DEFECTS: readonly Defect[] = [
  {
    kind: 'crash', platform: 'android', share: 30, thread: 'main', regressed: true,
    reason: 'java.lang.IllegalStateException', message: 'Fragment PayResultFragment{#} not attached to an activity',
    frames: ['androidx.fragment.app.Fragment.requireActivity(Fragment.java:1011)', '~.pay.PayResultFragment.onBill(PayResultFragment.kt:L214)', '~.pay.BillRepo$load$1.invokeSuspend(BillRepo.kt:L88)', ...COROUTINE_TAIL, '~.core.UiScope.dispatch(UiScope.kt:L41)', ...ANDROID_TAIL],
    steps: ['start 冷启动 812 ms，前台', 'page HomeFragment › PayFragment', 'tap 确认支付', 'request POST /pay/v2/orders，200，11.8 s', 'page PayResultFragment 已离开'],
  },
  {
    kind: 'crash', platform: 'android', share: 18, thread: 'main',
    reason: 'java.lang.NullPointerException', message: "Attempt to invoke virtual method 'int java.util.List.size()' on a null object reference",
    frames: ['~.home.FeedAdapter.getItemCount(FeedAdapter.java:L63)', '~.home.FeedAdapter.replace(FeedAdapter.java:L91)', 'androidx.recyclerview.widget.RecyclerView.onMeasure(RecyclerView.java:3642)', ...ANDROID_TAIL],
    steps: ['start 热启动，前台', 'page HomeFragment', 'request GET /feed，304，0.4 s'],
  },
  {
    kind: 'crash', platform: 'android', share: 12, thread: 'DefaultDispatcher-worker-2',
    reason: 'java.lang.OutOfMemoryError', message: 'Failed to allocate a # byte allocation with 1048576 free bytes',
    frames: ['android.graphics.BitmapFactory.nativeDecodeStream(Native Method)', 'android.graphics.BitmapFactory.decodeStream(BitmapFactory.java:723)', '~.card.CardScanner.decode(CardScanner.kt:L132)', '~.card.CardScanner$scan$2.invokeSuspend(CardScanner.kt:L77)', ...COROUTINE_TAIL],
    steps: ['page CardFragment', 'tap 扫描银行卡', 'state 相机已打开'],
  },
  {
    kind: 'crash', platform: 'android', share: 11, thread: 'Signer',
    reason: 'SIGSEGV', message: 'code 1 (SEGV_MAPERR), fault addr 0x#',
    frames: ['#00 pc 00000000000L31f2c4  /data/app/~~Qx1==/~-Zk2==/lib/arm64/libsecurepay.so (securepay::Signer::sign(unsigned char const*, unsigned long)+120) (BuildId: 9f3c21aa)', '#01 pc 00000000000L21000  /data/app/~~Qx1==/~-Zk2==/lib/arm64/libsecurepay.so (Java_cn_example_pay_Signer_sign+84) (BuildId: 9f3c21aa)', '#02 pc 00000000002222d0  /apex/com.android.art/lib64/libart.so (art_quick_generic_jni_trampoline+144)', '#03 pc 00000000006a1c40  /apex/com.android.art/lib64/libart.so (art::ArtMethod::Invoke+208)'],
    steps: ['page PayFragment', 'tap 确认支付', 'risk 检测到 Hook 框架，已上报'],
  },
  {
    kind: 'crash', platform: 'android', share: 6, thread: 'main',
    reason: 'java.lang.RuntimeException', message: 'Unable to start activity ComponentInfo{~/OrderActivity}',
    frames: ['android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3782)', ...ANDROID_TAIL],
    cause: { reason: 'java.lang.ClassCastException', message: 'java.lang.String cannot be cast to java.lang.Integer', frames: ['~.order.OrderArgs.read(OrderArgs.kt:L22)', '~.order.OrderActivity.onCreate(OrderActivity.kt:L48)', 'android.app.Activity.performCreate(Activity.java:8595)'] },
    steps: ['start 推送打开，前台', 'page OrderActivity'],
  },
  {
    kind: 'anr', platform: 'android', share: 60, thread: 'main',
    reason: 'Input dispatching timed out', message: 'Waited # ms for MotionEvent',
    frames: ['~.db.LedgerStore.read(LedgerStore.kt:L31)', '- waiting to lock <0x0a1b2c3d> (a java.lang.Object) held by thread 12', '~.home.BalanceView.refresh(BalanceView.kt:L57)', '~.home.HomeFragment.onResume(HomeFragment.kt:L102)', ...ANDROID_TAIL],
    steps: ['page HomeFragment', 'tap 下拉刷新', 'log 数据库迁移 6 → 7'],
  },
  {
    kind: 'anr', platform: 'android', share: 40, thread: 'main',
    reason: 'Broadcast of Intent timed out', message: 'act=cn.example.SYNC, # ms',
    frames: ['~.sync.SyncReceiver.onReceive(SyncReceiver.java:L44)', '~.sync.KeyVault.unlock(KeyVault.java:L118)', 'android.app.ActivityThread.handleReceiver(ActivityThread.java:4489)', ...ANDROID_TAIL],
    steps: ['state 进入后台', 'log 同步开始'],
  },
  {
    kind: 'exception', platform: 'android', share: 34, thread: 'OkHttp https://api',
    reason: 'java.net.SocketTimeoutException', message: 'failed to connect to api.example.cn after # ms',
    frames: ['okhttp3.internal.connection.RealConnection.connectSocket(RealConnection.kt:297)', '~.net.Api.call(Api.kt:L120)', '~.net.RetryPolicy.attempt(RetryPolicy.kt:L36)', ...NET],
    steps: ['request POST /pay/v2/orders，超时，15.0 s'],
  },
  {
    kind: 'exception', platform: 'android', share: 22, thread: 'DefaultDispatcher-worker-4',
    reason: 'org.json.JSONException', message: 'Expected literal value at character #',
    frames: ['org.json.JSONTokener.syntaxError(JSONTokener.java:460)', '~.coupon.CouponParser.parse(CouponParser.java:L71)', '~.coupon.CouponRepo.refresh(CouponRepo.kt:L55)', ...COROUTINE_TAIL],
    steps: ['page CouponFragment', 'request GET /coupons，200，0.7 s'],
  },
  {
    kind: 'exception', platform: 'android', share: 14, thread: 'JavaScript',
    reason: 'TypeError', message: "Cannot read properties of undefined (reading 'amount')",
    frames: ['formatBill (https://h5.example.cn/assets/bill.js:L48:15)', 'BillView.render (https://h5.example.cn/assets/bill.js:L131:9)', 'flush (https://h5.example.cn/assets/vendor.js:20:31)'],
    steps: ['page H5 账单', 'request GET /h5/bill，200，0.3 s'],
  },
  {
    kind: 'crash', platform: 'ios', share: 55, thread: 'Thread 0',
    reason: 'NSInvalidArgumentException', message: '-[NSNull length]: unrecognized selector sent to instance 0x#',
    frames: ['0   CoreFoundation  0x000000018a1b2c3d __exceptionPreprocess + 164', '1   libobjc.A.dylib  0x000000019a3c1f00 objc_exception_throw + 60', '2   ~  0x0000000104a1b2c3 -[PayViewController showBill:] + L88', '3   ~  0x0000000104a1c011 ~.BillStore.load(id: Swift.Int) -> () + L240', '4   UIKitCore  0x000000018cd1e000 -[UIViewController viewDidAppear:] + 212'],
    steps: ['start 冷启动 640 ms，前台', 'page PayViewController', 'tap 账单'],
  },
  {
    kind: 'crash', platform: 'ios', share: 45, thread: 'Thread 4',
    reason: 'EXC_BAD_ACCESS', message: '(SIGSEGV), KERN_INVALID_ADDRESS at 0x#',
    frames: ['0   libsystem_platform.dylib  0x00000001d2f1a0b4 _platform_memmove + 132', '1   ~  0x0000000104b0a9d0 ~.RouteRenderer.append(points: Swift.Array<CGPoint>) -> () + L312', '2   ~  0x0000000104b0b120 ~.RouteRenderer.draw() -> () + L96', '3   libdispatch.dylib  0x0000000199ab3000 _dispatch_call_block_and_release + 32'],
    steps: ['page RouteViewController', 'state 定位已授权', 'tap 开始导航'],
  },
  {
    kind: 'anr', platform: 'ios', share: 100, thread: 'Thread 0',
    reason: 'Main thread hang', message: '# ms without a run loop turn',
    frames: ['0   libsystem_kernel.dylib  0x00000001d9b40a30 __psynch_mutexwait + 8', '1   ~  0x0000000104c00100 ~.LedgerStore.read() -> () + L148', '2   ~  0x0000000104c00880 ~.HomeViewController.refresh() -> () + L60', '3   UIKitCore  0x000000018ccf1000 -[UIApplication sendEvent:] + 1204'],
    steps: ['page HomeViewController', 'tap 下拉刷新'],
  },
  {
    kind: 'exception', platform: 'ios', share: 100, thread: 'Thread 7',
    reason: 'DecodingError', message: 'keyNotFound(amount) at index #',
    frames: ['0   ~  0x0000000104d00100 ~.BillDecoder.decode(data: Foundation.Data) -> () + L72', '1   ~  0x0000000104d00880 ~.BillStore.load(id: Swift.Int) -> () + L240', '2   Foundation  0x0000000188f1e000 __NSThread__start__ + 732'],
    steps: ['page BillViewController', 'request GET /bill，200，0.5 s'],
  },
] // biome-ignore format: a table
