import { useSyncExternalStore } from 'react'
import { translate } from '#src/shared/i18n/texts.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { shellTexts } from './shell-texts.ts'

/** Full screen on or off; a browser that cannot gets the warning. */
export async function toggleFullScreen(): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else if (document.fullscreenEnabled) await document.documentElement.requestFullscreen()
    else toast.warn(translate(shellTexts, 'noFullScreen'))
  } catch {
    toast.warn(translate(shellTexts, 'noFullScreen'))
  }
}

export function useFullScreen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('fullscreenchange', listener)
      return () => document.removeEventListener('fullscreenchange', listener)
    },
    () => document.fullscreenElement !== null,
  )
}
