import { createContext, useContext } from 'react'
import type { Dimension } from '#domain/query.ts'
import { formatDateTime } from '../../../shared/format/time.ts'
import type { Language } from '../../../shared/i18n/texts.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import type { NameOf } from '../../../shared/query/value-names.ts'
import type { WallAlert } from './alert/use-wall-alert.ts'
import type { MapsTranslate } from './texts.ts'

/** What every part of the wall needs besides its data. */
export type WallContext = {
  t: MapsTranslate
  language: Language
  zone: string
  nameOf: NameOf
  /** One layout unit in real pixels. */
  unit: number
  replaying: boolean
  filtered: boolean
  /** Adds a filter; null where nothing may be filtered (a display token). */
  pick: ((field: Dimension, value: string, exclude: boolean) => void) | null
  /** Whether what is counted over the day may be printed as a total. */
  totals: WallView['totals']
  /** Until when the store has taken in what arrived, where it lags; null while it keeps up. Epoch ms. */
  storedUntil: number | null
  /** The alert whose turn it is, or null. */
  alert: WallAlert | null
  /** Opens the stored event; null for a display token. */
  open: ((event: { app: string; id: string }) => void) | null
}

const Context = createContext<WallContext | null>(null)
export const WallProvider = Context.Provider

export function useWall(): WallContext {
  const found = useContext(Context)
  if (!found) throw new Error('outside the wall')
  return found
}

export function clockTime(at: number, zone: string): string {
  return formatDateTime(at, zone, 'time')
}
