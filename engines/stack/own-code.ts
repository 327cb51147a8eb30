import type { Frame } from './stack.ts'

/** Java packages of platforms and of libraries that most applications contain. */
const JAVA_LIBRARIES = [
  'java.', 'javax.', 'jdk.', 'sun.', 'libcore.', 'dalvik.', 'android.', 'androidx.', 'com.android.', 'com.google.', 'kotlin.',
  'kotlinx.', 'okhttp3.', 'okio.', 'retrofit2.', 'io.reactivex.', 'rx.', 'com.squareup.', 'com.bumptech.', 'com.facebook.',
  'org.json.', 'org.apache.', 'org.intellij.', 'org.chromium.', 'com.tencent.', 'com.alibaba.', 'com.umeng.', 'com.huawei.hms.',
  'io.flutter.', 'dagger.', 'timber.', 'leakcanary.', 'com.airbnb.', 'org.greenrobot.', 'de.greenrobot.', 'io.netty.',
] as const // biome-ignore format: a list
const NATIVE_PATHS = /^(?:\/system\/|\/apex\/|\/vendor\/|\/product\/|\/system_ext\/|\[anon|\[vdso|<anonymous|<unknown>)/
const APPLE_BINARIES =
  /^(?:lib(?:system|dispatch|objc|swift|dyld|xpc|c\+\+|sqlite)[\w.+-]*|dyld|[A-Z][A-Za-z]*(?:Foundation|Services|Core|UI|Kit|KitCore|Network|Graphics|Animation|Location|ML|Data|Media|Board[A-Za-z]*)|Foundation|Security|CFNetwork|Network|UIKit|SwiftUI|Combine|MetricKit|GraphicsServices|AttributeGraph)$/
const JS_LIBRARIES =
  /(?:^|\/)(?:node_modules\/|vendor[.\-~]|vendors[.\-~]|polyfills?[.-]|zone\.js|react(?:-dom)?\.|vue\.|jquery)|^(?:node:|internal\/|chrome-extension:|moz-extension:|safari-web-extension:|webkit-masked-url:)/

/**
 * Whether a frame is of the application's own code: below the first two parts of its package name, else anything that no platform and
 * no well-known library brings.
 */
export function isOwn(frame: Frame, packageName = ''): boolean {
  if (frame.language === 'java') {
    const prefix = packagePrefix(packageName)
    return prefix !== '' && frame.module.startsWith(prefix)
      ? true
      : !JAVA_LIBRARIES.some((library) => frame.module.startsWith(library)) && !frame.module.startsWith('$')
  }
  if (frame.language === 'native')
    return (
      frame.module !== '' && !NATIVE_PATHS.test(frame.module) && !APPLE_BINARIES.test(frame.module) && !isRuntime(frame)
    )
  return frame.module !== '' && !JS_LIBRARIES.test(frame.module)
}

const packagePrefix = (name: string) => (name.includes('.') ? `${name.split('.', 2).join('.')}.` : '')

/** Libraries that Android puts beside the application's own. */
const isRuntime = ({ module }: Frame) =>
  /(?:^|\/)(?:libc\+\+_shared|libart|libc|libm|liblog|libhwui|libandroid_runtime|libbinder|libutils|base\.(?:odex|vdex|apk)|boot[\w.-]*)\.?(?:so|odex|oat)?$/.test(
    module,
  )
