import { APK_LIMITS, type ApkLimits } from '../apk/read-apk.ts'
import { IPA_LIMITS, type IpaLimits } from '../ipa/ipa-source.ts'

export interface PackageLimits extends ApkLimits {
  readonly ipa: IpaLimits
  /** Archives inside of a package that are opened, and their size together. */
  readonly innerArchives: number
  readonly innerSize: number
}

export const PACKAGE_LIMITS: PackageLimits = {
  ...APK_LIMITS,
  ipa: IPA_LIMITS,
  innerArchives: 500,
  innerSize: 2 * 2 ** 30,
}
