import { SDK_SIGNATURES } from '../catalogue/sdk-signatures.ts'
import type { IosCode } from '../input/inspected-package.ts'
import type { Location, SdkResult } from '../result/scan-result.ts'

/** SDKs of an iOS application, by framework and class; one whose classes are named is called, not only shipped. */
export function findIosSdks(ios: IosCode): readonly SdkResult[] {
  const results: SdkResult[] = []
  for (const one of SDK_SIGNATURES) {
    const classes = one.iosClasses.filter((name) => ios.classes.has(name))
    const frameworks = one.frameworks
      .map((name) => name.replace(/\.framework$/, ''))
      .filter((name) => ios.frameworks.has(name))
    if (!classes.length && !frameworks.length) continue
    const evidence: Location[] = [
      ...frameworks.map((name) => ({ entry: `${name}.framework`, offset: -1 })),
      ...classes.map((name) => ({ entry: ios.executable, offset: -1, class: name })),
    ]
    results.push({
      id: one.id,
      name: { zh: one.zh, en: one.en },
      vendor: one.vendor,
      category: one.category,
      country: one.country,
      version: null,
      state: classes.length ? 'called' : 'present',
      personalInfo: one.info,
      permissions: [],
      evidence: evidence.slice(0, 8),
      confidence: one.confidence,
    })
  }
  return results
}
