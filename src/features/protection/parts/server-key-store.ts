import { create } from 'zustand'

/** Server keys made on this page, by application: in memory alone, gone with the tab. The server shows them once. */
const useKeys = create<{ byApp: ReadonlyMap<string, string> }>(() => ({ byApp: new Map() }))

export function rememberServerKey(appid: string, key: string): void {
  useKeys.setState(({ byApp }) => ({ byApp: new Map(byApp).set(appid, key) }))
}

export function useServerKey(appid: string): string | undefined {
  return useKeys(({ byApp }) => byApp.get(appid))
}
