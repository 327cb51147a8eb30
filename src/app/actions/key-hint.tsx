import { Fragment } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Kbd } from '#src/shared/ui/kbd.tsx'
import { actionTexts } from './action-texts.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** `g o` as two keys with 'then' between for readers, `Mod+k` as the keys of this machine. */
export function KeyHint({ keys }: { keys: string }) {
  const t = useTexts(actionTexts)
  return (
    <span className="inline-flex flex-none items-center gap-1">
      {keys.split(' ').map((one, index) => (
        <Fragment key={`${one}-${keys}`}>
          {index > 0 && <span className="sr-only">{t('andThen')}</span>}
          <Kbd>{keyName(one)}</Kbd>
        </Fragment>
      ))}
    </span>
  )
}

/** `Mod+k` reads `Ctrl K`, or `⌘ K` on a Mac. */
function keyName(key: string): string {
  return key.startsWith('Mod+') ? `${isMac ? '⌘' : 'Ctrl'} ${key.slice(4).toUpperCase()}` : key
}
