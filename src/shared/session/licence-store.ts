import { create } from 'zustand'

/** What the server last said of the platform licence to everybody who is signed in (USER-04); null before. */
export type LicenceReminder = { status: number; message: string; days: number }
export const useLicenceReminder = create<{ reminder: LicenceReminder | null }>(() => ({ reminder: null }))
