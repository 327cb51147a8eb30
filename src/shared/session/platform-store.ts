import { create } from 'zustand'
import { DEFAULT_ZONE } from '#domain/time-range.ts'

/** System info from p-tags: the same for every user, known before sign-in. */
export type PlatformInfo = {
  product: string
  /** Address of an own logo, or null. */
  logo: string | null
  /** The notice of the login page, or null. */
  loginText: string | null
  /** Part of the page title (`p_tag` in payloads). */
  tag: string
  zone: string
  version: string
  demo: boolean
  demoAccounts: readonly { username: string; password: string; role: string }[]
  forcedLanguage: 'zh' | 'en' | null
  mapApproval: string | null
  logDays: number
  /** Sign-in with a provider, by the name of its button. */
  oidc: { label: string } | null
}

export const usePlatform = create<PlatformInfo>(() => ({
  product: 'AppWarden',
  logo: null,
  loginText: null,
  tag: 'AppWarden',
  zone: DEFAULT_ZONE,
  version: '',
  demo: false,
  demoAccounts: [],
  forcedLanguage: null,
  mapApproval: null,
  logDays: 184,
  oidc: null,
}))
